// Loaded before the program while it is built: at its end writes what V8 has compiled of each chunk by then.
const { writeFileSync } = require('node:fs');
const v8 = require('node:v8');
const vm = require('node:vm');

const scripts = new Map();
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    scripts.set(options.filename, this);
  }
};
// What is written with other settings than those of a start is left aside.
v8.setFlagsFromString = () => {};
process.on('exit', () => {
  for (const [file, script] of scripts) writeFileSync(`${file}.compiled`, script.createCachedData());
});
