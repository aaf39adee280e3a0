import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli } from '../../cli/run-cli.ts';
import disk from '../../platform/adapters/local-disk/local-disk.ts';
import clock from '../../platform/adapters/system-clock.ts';
import type { CliContext, Output } from '../../platform/cli/command.ts';

test('backup and restore bring a home to another folder', async (t) => {
  const { dir, run } = harness(t);
  fs.mkdirSync(join(dir, 'home/config'), { recursive: true });
  fs.writeFileSync(join(dir, 'home/config.json'), '{"api_key": "k", "a": 1}');

  const backup = await run('backup', 'home', '-o', 'my backup.tar.gz');
  assert.equal(backup.code, 0, backup.err);
  assert.match(backup.out, /^.*my backup\.tar\.gz: 3 entries, 0\.0 MB, read back whole\.\n/);
  assert.match(backup.out, /Secrets left out:\n {2}config\.json: api_key\n$/);

  const verified = await run('restore', 'my backup.tar.gz', '--verify');
  assert.equal(verified.code, 0, verified.err);
  assert.match(verified.out, /is whole: 3 entries, .* home .*\/home\.\n$/);

  const refused = await run('restore', 'my backup.tar.gz');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /home is not empty.*--force.*\[RESTORE_NOT_EMPTY\]/s);

  const restored = await run('restore', 'my backup.tar.gz', 'other', '--json');
  assert.equal(restored.code, 0, restored.err);
  const report = JSON.parse(restored.out) as Record<string, unknown>;
  assert.equal(report['into'], join(dir, 'other'));
  assert.deepEqual(report['secretsMissing'], [{ file: 'config.json', keys: ['api_key'] }]);

  const forced = await run('restore', 'my backup.tar.gz', 'home', '--force');
  assert.match(
    forced.out,
    /Secrets kept:\n {2}config\.json: api_key\nRebuild its index with: nightmark reindex /,
  );
  assert.equal(fs.readFileSync(join(dir, 'home/config.json'), 'utf8'), '{"api_key": "k", "a": 1}');
});

test('without -o the backup gets a name of its own in the current folder, twice a minute too', async (t) => {
  const { dir, run } = harness(t);
  fs.mkdirSync(join(dir, 'home'));
  fs.writeFileSync(join(dir, 'home/nightmark.yml'), '');
  for (const _ of [1, 2]) assert.equal((await run('backup', 'home', '--json')).code, 0);
  assert.deepEqual(fs.readdirSync(dir), [
    'dashboard_01-05-2026-0307-2.tar.gz',
    'dashboard_01-05-2026-0307.tar.gz',
    'home',
  ]);
});

test('a folder that is not a home, and a file that is not a backup, are refused', async (t) => {
  const { dir, run } = harness(t);
  const noHome = await run('backup', '.');
  assert.equal(noHome.code, 1);
  assert.match(noHome.err, /is not a home.*\[CLI_NO_HOME\]/s);
  fs.writeFileSync(join(dir, 'x.tar.gz'), 'x');
  const noBackup = await run('restore', 'x.tar.gz', '--verify');
  assert.equal(noBackup.code, 1);
  assert.match(noBackup.err, /x\.tar\.gz is damaged.*\[ARCHIVE_DAMAGED\]/s);
  assert.equal((await run('restore')).code, 1);
});

function harness(t: { after(work: () => void): void }) {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-cli-backup-')));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  const at = clock.fromWall({ year: 2026, month: 1, day: 5, hour: 3, minute: 7 });
  const run = async (...argv: readonly string[]) => {
    let out = '';
    let err = '';
    const context: CliContext = {
      cwd: dir,
      env: {},
      userHome: dir,
      hostName: 'test',
      processId: 1,
      packageDir: process.cwd(),
      version: '0',
      stdout: output((text) => {
        out += text;
      }),
      stderr: output((text) => {
        err += text;
      }),
      clock: { ...clock, now: () => at },
      disk,
      signal: new AbortController().signal,
      randomSeed: () => 1,
    };
    return { code: await runCli(argv, context), out, err };
  };
  return { dir, run };
}

function output(write: (text: string) => void): Output {
  return { write, isTerminal: false, columns: 100, hasColor: false };
}
