import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import disk from '../../platform/adapters/local-disk/local-disk.ts';
import clock from '../../platform/adapters/system-clock.ts';
import type { Home, Retention } from '../core/home.ts';
import { applyRetention } from './apply-retention.ts';

const DAY_MS = 86_400_000;
const now = clock.fromWall({ year: 2026, month: 1, day: 10, hour: 12, minute: 0 });
const effects = { disk, clock: { ...clock, now: () => now } };
const forEver: Retention = { backups: {}, raw: {}, logs: {} };

const BACKUPS = [
  'backup/dashboard_12-31-2025-0307.tar.gz',
  'backup/dashboard_01-05-2026-0307.tar.gz',
  'backup/dashboard_01-05-2026-0307_after.tar.gz',
  'backup/dashboard_01-05-2026-0307-2.tar.gz',
  'backup/dashboard_01-05-2026-0307-10.tar.gz',
  'backup/dashboard_01-09-2026-0307.tar.gz',
];
const OTHERS = [
  'backup/notes.txt',
  'backup/benchmarks_01-01-2020-0000_data.tar.gz',
  'backup/x_dashboard_1.tar.gz',
];

test('backups beyond the count go, oldest first, and nothing else does', async (t) => {
  const { dir, home } = makeHome(t, [...BACKUPS, ...OTHERS]);
  const removed = await applyRetention(home({ ...forEver, backups: { count: 2 } }), effects);
  assert.deepEqual(
    removed,
    BACKUPS.slice(0, 4).map((path) => join(dir, path)),
  );
  assert.deepEqual(
    fs.readdirSync(join(dir, 'backup')),
    [...BACKUPS.slice(4), ...OTHERS].map((path) => path.slice('backup/'.length)).sort(),
  );
});

test('raw archives beyond the age go, by the time in their names', async (t) => {
  const names = ['tmp/benchmarks_12-31-2025-0307_data.tar.gz', 'tmp/benchmarks_01-09-2026-0307_data.tar.gz'];
  const { dir, home } = makeHome(t, [
    ...names,
    'tmp/benchmarks_01-01-2020-0000/raw',
    'tmp/dashboard_1.tar.gz',
  ]);
  const removed = await applyRetention(home({ ...forEver, raw: { ageMs: 5 * DAY_MS } }), effects);
  assert.deepEqual(removed, [join(dir, names[0] ?? '')]);
});

test('the newest stays, whatever the rules say', async (t) => {
  const { dir, home } = makeHome(t, BACKUPS.slice(0, 2));
  const removed = await applyRetention(home({ ...forEver, backups: { count: 0, ageMs: 1 } }), effects);
  assert.deepEqual(removed, [join(dir, BACKUPS[0] ?? '')]);
});

test('logs of old runs go, their journals stay, and the current run is not touched', async (t) => {
  const runs = ['r1', 'r2', 'r3', 'r4'];
  const files = runs.flatMap((id) => [
    `h/.nightmark/runs/${id}/journal.ndjson`,
    `h/.nightmark/runs/${id}/logs/a.log`,
  ]);
  const { dir, home } = makeHome(t, [...files, 'h/.nightmark/current']);
  fs.writeFileSync(join(dir, 'h/.nightmark/current'), 'r1\n');
  const removed = await applyRetention(home({ ...forEver, logs: { count: 1 } }), effects);
  assert.deepEqual(removed, [join(dir, 'h/.nightmark/runs/r2/logs'), join(dir, 'h/.nightmark/runs/r3/logs')]);
  assert.deepEqual(fs.readdirSync(join(dir, 'h/.nightmark/runs/r2')), ['journal.ndjson']);
  assert.deepEqual(fs.readdirSync(join(dir, 'h/.nightmark/runs/r1')), ['journal.ndjson', 'logs']);
});

test('without rules, and without folders, nothing goes', async (t) => {
  const { home } = makeHome(t, BACKUPS);
  assert.deepEqual(await applyRetention(home(forEver), effects), []);
  const empty = makeHome(t, []).home;
  const all = { count: 0 };
  assert.deepEqual(await applyRetention(empty({ backups: all, raw: all, logs: all }), effects), []);
});

test('a link with the name of a backup is not ours', async (t) => {
  const { dir, home } = makeHome(t, BACKUPS.slice(4));
  fs.symlinkSync('/etc/passwd', join(dir, 'backup/dashboard_01-01-2020-0000.tar.gz'));
  assert.equal((await applyRetention(home({ ...forEver, backups: { count: 2 } }), effects)).length, 0);
});

function makeHome(t: { after(work: () => void): void }, files: readonly string[]) {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-retention-')));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  for (const path of files) {
    fs.mkdirSync(dirname(join(dir, path)), { recursive: true });
    fs.writeFileSync(join(dir, path), 'x');
  }
  const home = (retention: Retention): Home => ({
    dir: join(dir, 'h'),
    dialect: 'dashboard',
    project: 'test',
    folders: {
      experiments: [],
      subsystems: [],
      tmp: join(dir, 'tmp'),
      backup: join(dir, 'backup'),
      setup: join(dir, 'setup'),
    },
    order: 'priority',
    subsystemArguments: 'home-output',
    backups: { before: true, after: true },
    retention,
    tasks: [],
  });
  return { dir, home };
}
