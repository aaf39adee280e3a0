// Prints CSV: a line per codec, level and round.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { timeRounds } from './rounds.mjs';

const lines = Number(process.env.LOG_LINES ?? 1000);
const text = Buffer.from(
  Array.from(
    { length: lines },
    (_, i) => `10.0.0.${i % 251} GET /item/${Math.imul(i, 7919) % 9973} 200`,
  ).join('\n'),
);
const brotli = (level) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: level } });
const cases = {
  'gzip,1': () => gzipSync(text, { level: 1 }),
  'gzip,6': () => gzipSync(text, { level: 6 }),
  'brotli,4': () => brotli(4),
};

console.log('codec,level,round,seconds,bytes');
for (const { name, seconds } of timeRounds(cases, 10)) {
  const bytes = cases[name]().length;
  for (const [round, value] of seconds.entries()) console.log(`${name},${round},${value},${bytes}`);
}
