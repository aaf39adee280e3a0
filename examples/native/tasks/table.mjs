// The newest data file of every experiment as one table, table.md in the output folder of the task.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { NIGHTMARK_OUTPUT_DIR: output, NIGHTMARK_DATA_DIR: data, NIGHTMARK_LABEL: label } = process.env;
const rows = readdirSync(data).flatMap((experiment) => {
  const file = join(data, experiment, `data_${label}.json`);
  const { detailed: _, ...tree } = readData(file);
  return leaves(tree).map(({ path, value }) => `| ${experiment} | ${path.join(' / ')} | ${value} |`);
});
writeFileSync(
  join(output, 'table.md'),
  `| experiment | result | value |\n|---|---|---|\n${rows.join('\n')}\n`,
);
console.log(`${rows.length} rows`);

/** An experiment that failed tonight has no file of tonight. */
function readData(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

function leaves(tree, path = []) {
  return Object.entries(tree).flatMap(([key, value]) => {
    if (typeof value === 'number') return [{ path: [...path, key], value }];
    return typeof value === 'object' && value !== null ? leaves(value, [...path, key]) : [];
  });
}
