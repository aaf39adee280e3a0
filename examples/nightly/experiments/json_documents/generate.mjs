import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { numbers } from '../../lib/generate.mjs';
import { stageArguments } from '../../lib/measure.mjs';

const { config, outputDir } = stageArguments();
const random = numbers(config.records * 8);
const records = Array.from({ length: config.records }, (_, id) => ({
  id,
  name: `Customer "${Math.floor(random[id] * 1e6).toString(36)}"`,
  active: random[id + 1] > 0.5,
  scores: Array.from(random.subarray(id, id + 6)),
  address: { street: `Main Street ${id}`, city: 'Zürich\n', zip: null },
}));
const documents = {
  'numbers.json': JSON.stringify(Array.from(random)),
  'records.json': JSON.stringify(records),
};
for (const [file, text] of Object.entries(documents)) writeFileSync(join(outputDir, file), text);
console.log(`${Object.keys(documents).length} documents of ${config.records} records`);
