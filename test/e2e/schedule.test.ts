import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runBinary } from '../support/binary.ts';
import { makeScriptHome, SCRIPTS } from '../support/script-home.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

test('a night that was missed is caught up once, by a real night', async () => {
  const home = makeScriptHome(['alpha'], SCRIPTS, { schedule: '0 2 * * *', timezone: 'UTC' });
  folders.push(home);
  const begun = await runBinary(['schedule', home, '--once']);
  assert.equal(begun.code, 0, begun.stderr);
  assert.equal(fs.existsSync(join(home, 'results')), false, 'the schedule begins to count now');

  // As if the schedule had begun to count three nights ago, and the machine had been off since.
  const state = join(home, '.nightmark/schedule.json');
  const threeNights = 3 * 24 * 3600 * 1000;
  const shifted = fs.readFileSync(state, 'utf8').replace(/\d{13}/g, (at) => String(Number(at) - threeNights));
  fs.writeFileSync(state, shifted);
  const caughtUp = await runBinary(['schedule', home, '--once']);
  assert.equal(caughtUp.code, 0, caughtUp.stderr);
  assert.equal(fs.readdirSync(join(home, 'results/experiments/data/alpha')).length, 1);
  const again = await runBinary(['schedule', home, '--once']);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(fs.readdirSync(join(home, 'results/experiments/data/alpha')).length, 1);

  const status = await runBinary(['status', home]);
  assert.match(status.stdout, /\nNext night .*02:00.*\n$/);
});

test('old backups and raw archives go by count, the newest stay', async () => {
  const retention = { backups: { count: 2 }, raw: { count: 1 } };
  const home = makeScriptHome(['alpha'], SCRIPTS, { retention });
  folders.push(home);
  for (let night = 0; night < 3; night++) assert.equal((await runBinary(['run', home])).code, 0);
  assert.equal(fs.readdirSync(join(home, '.nightmark/backups')).length, 2);
  assert.equal(fs.readdirSync(join(home, '.nightmark/tmp')).length, 1);
  assert.equal(
    fs.readdirSync(join(home, 'results/experiments/data/alpha')).length,
    3,
    'data is kept for ever',
  );
});
