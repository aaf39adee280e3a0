// make-documents.mjs FOLDER: the documents that parsing.mjs reads. As a setup it runs once; what it made is kept.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const flat = Array.from({ length: 20_000 }, (_, i) => i / 7);
const records = Array.from({ length: 1_500 }, (_, id) => ({
  id,
  name: `item "${id}"`,
  tags: ['a', 'b'],
  on: id % 2 === 0,
}));
mkdirSync(folder, { recursive: true });
for (const [name, value] of Object.entries({ flat, records })) {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
}
