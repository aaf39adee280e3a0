// Compresses made-up text and prints what it cost. Usage: node compress.mjs LEVEL SIZE SEED
import { gunzipSync, gzipSync } from 'node:zlib';

const [level, size, seed] = process.argv.slice(2).map(Number);
const text = Buffer.from(makeText(size, seed));

const start = new Date().toISOString();
const times = [];
let packed = gzipSync(text, { level });
for (let round = 0; round < 10; round++) {
  const from = performance.now();
  packed = gzipSync(text, { level });
  times.push((performance.now() - from) / 1000);
}
if (!gunzipSync(packed).equals(text)) throw new Error('what was packed cannot be unpacked');
const end = new Date().toISOString();
const ratio = text.length / packed.length;
console.log(JSON.stringify({ seconds: times, ratio, bytes: packed.length, start, end }));

/** Words drawn from a short list, the same for the same seed. */
function makeText(length, from) {
  const words = ['night', 'run', 'level', 'matrix', 'faster', 'slower', 'same', 'undecided'];
  let state = from;
  let made = '';
  while (made.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    made += `${words[state >>> 29]}${state % 7 === 0 ? state : ''} `;
  }
  return made.slice(0, length);
}
