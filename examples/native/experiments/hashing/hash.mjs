// hash.mjs CONFIG: prints {"seconds": {algorithm: median}}.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { timeRounds } from '../../bench/rounds.mjs';

const { algorithms, megabytes, rounds } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const block = Buffer.alloc(megabytes * 1024 * 1024, 'n');
const cases = algorithms.map((name) => [name, () => createHash(name).update(block).digest()]);
const medians = timeRounds(Object.fromEntries(cases), rounds).map(({ name, seconds }) => {
  const sorted = seconds.sort((a, b) => a - b);
  return [name, sorted[sorted.length >> 1]];
});
console.log(JSON.stringify({ seconds: Object.fromEntries(medians) }));
