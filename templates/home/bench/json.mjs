// Writes one JSON object per case and round to results.ndjson.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const count = Number(process.env.DOCUMENTS ?? 1000);
const tree = Array.from({ length: count }, (_, id) => ({
  id,
  name: `item ${id}`,
  tags: ['a', 'b'],
  half: id / 2,
}));
const text = JSON.stringify(tree);
const cases = { parse: () => JSON.parse(text), stringify: () => JSON.stringify(tree) };

const lines = [];
for (let round = -2; round < 20; round++) {
  for (const [name, work] of Object.entries(cases)) {
    const start = performance.now();
    work();
    const seconds = (performance.now() - start) / 1000;
    if (round >= 0) lines.push(JSON.stringify({ case: name, round, seconds }));
  }
}
writeFileSync(join(process.env.NIGHTMARK_OUTPUT_DIR ?? '.', 'results.ndjson'), `${lines.join('\n')}\n`);
