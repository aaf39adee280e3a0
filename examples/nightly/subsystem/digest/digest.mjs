// digest.mjs CONFIG HOME OUTPUT: every value of every night as results.csv, and what moved as report.json.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from '../../lib/format.mjs';
import { readHistory } from '../../lib/history.mjs';
import { summarize } from '../../lib/statistics.mjs';

const [configDir, home, outputDir] = process.argv.slice(2);
const { title, moved_percent: threshold } = JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8'));
const dataDir = join(home, 'results/experiments/data');

const rows = [];
const moved = [];
for (const experiment of readdirSync(dataDir).sort()) {
  const nights = readHistory(join(dataDir, experiment));
  for (const night of nights) rows.push(...valuesOf(experiment, night));
  moved.push(...movesOf(experiment, nights));
}
write('results.csv', `experiment,night,metric,case,value\n${rows.join('\n')}\n`);
const value = moved.length === 0 ? `Nothing moved by more than ${threshold} %.` : moved.join('\n');
write('report.json', JSON.stringify({ title, value: `${value}\n` }));
console.log(`${rows.length} values, ${moved.length} moved`);

function valuesOf(experiment, { label, metrics }) {
  return Object.entries(metrics).flatMap(([metric, cases]) =>
    Object.entries(cases).map(([name, number]) => [experiment, label, metric, name, number].join(',')),
  );
}

/** The last night beside the median of up to 14 nights before it. A rule of thumb, no test of significance. */
function movesOf(experiment, nights) {
  const last = nights.at(-1);
  const past = nights.slice(-15, -1);
  if (!last || past.length === 0) return [];
  return Object.entries(last.metrics).flatMap(([metric, cases]) =>
    Object.entries(cases).flatMap(([name, now]) => {
      const before = past.flatMap((night) => night.metrics[metric]?.[name] ?? []);
      if (before.length === 0) return [];
      const usual = summarize(before).median;
      const percent = (now / usual - 1) * 100;
      if (Math.abs(percent) < threshold) return [];
      const sign = percent > 0 ? '+' : '';
      return [
        `${experiment} ${name}: ${format(now, metric)}, usually ${format(usual, metric)} (${sign}${percent.toFixed(0)} %)`,
      ];
    }),
  );
}

function write(name, text) {
  writeFileSync(join(outputDir, `.${name}.tmp`), text);
  renameSync(join(outputDir, `.${name}.tmp`), join(outputDir, name));
}
