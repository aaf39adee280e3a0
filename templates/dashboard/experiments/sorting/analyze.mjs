// analyze.mjs SAMPLES DATA: the median of each case, as {"seconds": {case: value}}.
import { readFileSync, writeFileSync } from 'node:fs';

const [samples, data] = process.argv.slice(2);
const byCase = {};
for (const line of readFileSync(samples, 'utf8').trim().split('\n')) {
  const [name, seconds] = line.split(',');
  byCase[name] = [...(byCase[name] ?? []), Number(seconds)];
}
const medians = Object.entries(byCase).map(([name, values]) => [
  name,
  values.sort((a, b) => a - b)[values.length >> 1],
]);
writeFileSync(data, JSON.stringify({ seconds: Object.fromEntries(medians) }));
console.log(`${medians.length} medians`);
