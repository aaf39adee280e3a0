// summarize.mjs CONFIG DATA SUMMARY: the last night in words, beside the median of the nights before.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from './format.mjs';
import { readHistory } from './history.mjs';
import { summarize } from './statistics.mjs';

const [configDir, dataDir, summaryDir] = process.argv.slice(2);
const { title } = JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8'));
const nights = readHistory(dataDir);
const last = nights.at(-1);
if (!last) throw new Error(`There is no data in ${dataDir}.`);

const lines = Object.entries(last.metrics).flatMap(([metric, cases]) => [
  `_${metric}_`,
  ...Object.entries(cases).map(([name, value]) => `${name}: ${format(value, metric)}${before(metric, name)}`),
]);
mkdirSync(summaryDir, { recursive: true });
writeFileSync(join(summaryDir, 'summary.json'), JSON.stringify({ title, value: `${lines.join('\n')}\n` }));
console.log(`${lines.length} lines`);

function before(metric, name) {
  const past = nights.slice(-15, -1).flatMap((night) => night.metrics[metric]?.[name] ?? []);
  if (past.length === 0) return '';
  return ` (median of ${past.length} nights before: ${format(summarize(past).median, metric)})`;
}
