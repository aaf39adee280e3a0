// parsing.mjs FILE: a JSON object per document, step and round. The documents were made by the setup.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timeRounds } from './rounds.mjs';

const [file] = process.argv.slice(2);
const folder = process.env.NIGHTMARK_SETUP_DIR;
const cases = {};
for (const document of ['flat', 'records']) {
  const text = readFileSync(join(folder, `${document}.json`), 'utf8');
  const tree = JSON.parse(text);
  cases[`${document} parse`] = () => JSON.parse(text);
  cases[`${document} stringify`] = () => JSON.stringify(tree);
}
const lines = timeRounds(cases, 60).flatMap(({ name, seconds }) => {
  const [document, step] = name.split(' ');
  return seconds.map((value) => JSON.stringify({ document, step, seconds: value }));
});
writeFileSync(file, `${lines.join('\n')}\n`);
