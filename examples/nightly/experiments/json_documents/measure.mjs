import { readFileSync } from 'node:fs';
import { measure, stageArguments, writeSamples } from '../../lib/measure.mjs';

const { config, outputDir } = stageArguments();
const records = readFileSync('setup/records.json', 'utf8');
const numbers = readFileSync('setup/numbers.json', 'utf8');
const tree = JSON.parse(records);

writeSamples(
  outputDir,
  measure(
    {
      parse_records: () => JSON.parse(records),
      parse_numbers: () => JSON.parse(numbers),
      stringify_records: () => JSON.stringify(tree),
      stringify_indented: () => JSON.stringify(tree, null, 2),
    },
    config.rounds,
  ),
);
