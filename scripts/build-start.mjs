// Bundles dist/src/cli/start.js, with the drawing of charts, into dist/src/cli/nightmark.cjs: one file, and CommonJS, which
// Node loads sooner than modules. Needs what tsc has built.
import { renameSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';

const FILE = 'dist/src/cli/nightmark.cjs';
const made = await rolldown({
  input: 'dist/src/cli/start.js',
  platform: 'node',
  external: [/\/main\.js$/],
});
const { output } = await made.generate({ format: 'cjs', codeSplitting: false, minify: true });
await made.close();
// Whole or not at all: a night may be drawing with it.
const unfinished = `${FILE}.${process.pid}.part`;
writeFileSync(unfinished, output[0].code, { mode: 0o755 });
renameSync(unfinished, FILE);
