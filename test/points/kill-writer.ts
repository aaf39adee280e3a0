// Writes batches of points for ever, and notes in a file beside them which are acknowledged. Usage: node kill-writer.js PLACE FIRST-BATCH SETTLE

import { appendFileSync } from 'node:fs';
import openStorage from '../../src/metrics/adapters/storages/sqlite/sqlite.ts';
import { PointEngine } from '../../src/metrics/app/point-engine.ts';
import clock from '../../src/platform/adapters/system-clock.ts';

const [place = '', first = '0', settle = '200'] = process.argv.slice(2);
const engine = await PointEngine.open(await openStorage(place), { clock }, { flushValues: Number(settle) });
await engine.createDatabase('db');
for (let batch = Number(first); ; batch++) {
  // Each batch has the same value in each of its ten series: a reader that sees two values of one moment sees a torn one.
  const rows = Array.from({ length: 10 }, (_, series) => `m,s=${series},b=${batch % 2} v=${batch} ${batch}`);
  await engine.write({
    database: 'db',
    kind: 'lines',
    body: Buffer.from(rows.join('\n')),
    precision: 's',
    receivedAt: { ms: 0, ns: 0 },
  });
  appendFileSync(`${place}.acknowledged`, `${batch}\n`);
  if (batch === Number(first)) process.stdout.write('begun\n');
  await clock.sleep(batch % 3);
}
