// sort.mjs --input numbers|words --sorter built-in|merge --iterations N --out FILE
// Sorts the same list again and again; one line of CSV per iteration, with its start, so that the iterations of two
// such processes can be matched by the times at which both were running.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { values } = parseArgs({ options: { input: text, sorter: text, iterations: text, out: text } });
const { input = 'numbers', sorter = 'built-in', iterations = '30', out = 'results.csv' } = values;

const SIZE = 20_000;
const numbers = Array.from({ length: SIZE }, (_, i) => Math.imul(i + 1, 2_654_435_761) >>> 0);
const inputs = { numbers, words: numbers.map((number) => number.toString(36)) };
const ascending = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const sorters = { 'built-in': (list) => list.toSorted(ascending), merge: mergeSort };

const list = inputs[input];
const sort = sorters[sorter];
if (!list || !sort) throw new Error(`There is no input "${input}" or no sorter "${sorter}".`);

const rows = ['benchmark,iteration_time_ns,start_unix'];
for (let i = 0; i < Number(iterations); i++) {
  const startedAt = Date.now();
  const start = process.hrtime.bigint();
  const { length } = sort(list);
  const took = process.hrtime.bigint() - start;
  if (length !== SIZE) throw new Error(`${length} of ${SIZE} were left.`);
  rows.push(`${input},${took},${startedAt}`);
}
writeFileSync(out, `${rows.join('\n')}\n`);

function mergeSort(items) {
  if (items.length < 2) return items;
  const middle = items.length >> 1;
  const [left, right] = [mergeSort(items.slice(0, middle)), mergeSort(items.slice(middle))];
  const merged = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    merged.push(ascending(left[l], right[r]) <= 0 ? left[l++] : right[r++]);
  }
  while (l < left.length) merged.push(left[l++]);
  while (r < right.length) merged.push(right[r++]);
  return merged;
}
