import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import disk from '../../platform/adapters/local-disk/local-disk.ts';
import { tarArchiver as archiver } from '../../platform/adapters/tar/tar.ts';
import { LEFT_OUT } from '../../platform/core/secrets.ts';
import { backupHome } from './backup-home.ts';
import { restoreHome, verifyBackup } from './restore-home.ts';

const effects = { disk, archiver };

test('a backup holds configuration, results and journals, but nothing that passes', async (t) => {
  const { dir, home } = makeHome(t, {
    'config.json': '{"tmp_data_dir": "tmp"}',
    'config/experiments/alpha/config.json': '{"active": true}',
    'results/experiments/data/alpha/data_1.json': '{"token": "the", "t": 1}',
    '.nightmark/runs/r1/journal.ndjson': '{}\n',
    '.nightmark/runs/r1/logs/experiments/alpha/run.log': 'log',
    '.nightmark/schedule.json': '{}',
    '.nightmark/index.db': 'db',
    '.nightmark/index.db-wal': 'wal',
    '.nightmark/lock': '1',
    '.nightmark/current': 'r1',
    '.nightmark/cache/sources/x': 'x',
    '.nightmark/tmp/x': 'x',
    '.nightmark/backups/x': 'x',
    '.nightmark/setup/x': 'x',
    '.nightmark/x.tmp': 'x',
    'results/.nightmark-12-3.tmp': 'half',
    'dashboard_01-05-2026-0307.tar.gz': 'a backup',
    'own tmp/raw': 'raw',
  });
  const file = join(dir, 'b.tar.gz');
  const report = await backupHome(
    { home, file, alsoLeftOut: [join(home, 'own tmp'), home, dir, '/elsewhere'] },
    effects,
  );
  const root = `${home.slice(1)}/`;
  const paths = (await archiver.list(file)).map(({ path }) => path.slice(root.length));
  assert.deepEqual(paths, [
    '',
    '.nightmark/',
    '.nightmark/runs/',
    '.nightmark/runs/r1/',
    '.nightmark/runs/r1/journal.ndjson',
    '.nightmark/runs/r1/logs/',
    '.nightmark/runs/r1/logs/experiments/',
    '.nightmark/runs/r1/logs/experiments/alpha/',
    '.nightmark/runs/r1/logs/experiments/alpha/run.log',
    '.nightmark/schedule.json',
    'config.json',
    'config/',
    'config/experiments/',
    'config/experiments/alpha/',
    'config/experiments/alpha/config.json',
    'results/',
    'results/experiments/',
    'results/experiments/data/',
    'results/experiments/data/alpha/',
    'results/experiments/data/alpha/data_1.json',
  ]);
  assert.deepEqual(report, {
    file,
    entries: paths.length,
    bytes: fs.statSync(file).size,
    secrets: [],
    notes: [],
  });
});

const SECRET_HOME = {
  'config.json': '{"webhook_url": "https://h/s3cret", "n": 1.0}',
  'nightmark.yml': 'notify:\n  slack: { token: s3cret } # here\n',
  'experiments/a/.env': 'TOKEN=s3cret\n',
  'vault.kdbx': Buffer.from([0xff, 0, 0xfe]),
  'results/data.json': '{"token": "a result"}',
};

test('a backup holds no secret, and reports where they were', async (t) => {
  const { dir, home } = makeHome(t, SECRET_HOME);
  const file = join(dir, 'b.tar.gz');
  const { secrets } = await backupHome({ home, file }, effects);
  assert.deepEqual(secrets, [
    { file: 'config.json', keys: ['webhook_url'] },
    { file: 'experiments/a/.env', keys: [] },
    { file: 'nightmark.yml', keys: ['notify.slack.token'] },
    { file: 'vault.kdbx', keys: [] },
  ]);
  const content = execFileSync('tar', ['-xzOf', file]).toString();
  assert.equal(content.includes('s3cret'), false);
  assert.ok(content.includes('a result'));
});

test('a restore over the home keeps its secrets and the home itself beside', async (t) => {
  const { dir, home } = makeHome(t, SECRET_HOME);
  const file = join(dir, 'b.tar.gz');
  await backupHome({ home, file }, effects);
  fs.writeFileSync(join(home, 'config.json'), '{"webhook_url": "https://h/new", "n": 2}');
  fs.writeFileSync(join(home, 'only-now'), 'x');
  const report = await restoreHome({ file, into: home, force: true }, effects);
  assert.equal(report.previous, `${home}.replaced`);
  assert.deepEqual(report.secretsMissing, []);
  assert.equal(report.secretsKept.length, 4);
  assert.equal(
    fs.readFileSync(join(home, 'config.json'), 'utf8'),
    '{"webhook_url": "https://h/new", "n": 1.0}',
  );
  assert.equal(fs.readFileSync(join(home, 'nightmark.yml'), 'utf8'), SECRET_HOME['nightmark.yml']);
  assert.equal(fs.readFileSync(join(home, 'experiments/a/.env'), 'utf8'), 'TOKEN=s3cret\n');
  assert.deepEqual(fs.readFileSync(join(home, 'vault.kdbx')), SECRET_HOME['vault.kdbx']);
  assert.equal(fs.existsSync(join(home, 'only-now')), false);
  assert.equal(fs.readFileSync(join(home, '../home.replaced/only-now'), 'utf8'), 'x');
});

test('a restore into a new folder lists the secrets that must be set again', async (t) => {
  const { dir, home } = makeHome(t, SECRET_HOME);
  const file = join(dir, 'b.tar.gz');
  await backupHome({ home, file }, effects);
  const into = join(dir, 'new/place');
  const report = await restoreHome({ file, into }, effects);
  assert.deepEqual(report.secretsKept, []);
  assert.deepEqual(
    report.secretsMissing.map(({ file: name }) => name),
    ['config.json', 'nightmark.yml', 'experiments/a/.env', 'vault.kdbx'],
  );
  assert.equal(fs.existsSync(join(into, 'experiments/a/.env')), false);
  assert.ok(fs.readFileSync(join(into, 'config.json'), 'utf8').includes(LEFT_OUT));
  assert.deepEqual(fs.readdirSync(join(dir, 'new')), ['place']);
});

test('a folder that is not empty is refused, and stays as it is', async (t) => {
  const { dir, home } = makeHome(t, { 'config.json': '{}' });
  const file = join(dir, 'b.tar.gz');
  await backupHome({ home, file }, effects);
  await assert.rejects(restoreHome({ file, into: home }, effects), { code: 'RESTORE_NOT_EMPTY' });
  await assert.rejects(restoreHome({ file, into: file }, effects), { code: 'RESTORE_NO_FOLDER' });
  assert.deepEqual(fs.readdirSync(dir), ['b.tar.gz', 'home']);
  assert.deepEqual(fs.readdirSync(home), ['config.json']);
});

test('a damaged backup changes nothing, also with force', async (t) => {
  const { dir, home } = makeHome(t, { 'config.json': '{"v": 1}' });
  const file = join(dir, 'b.tar.gz');
  await backupHome({ home, file }, effects);
  fs.truncateSync(file, fs.statSync(file).size - 5);
  await assert.rejects(restoreHome({ file, into: home, force: true }, effects), { code: 'ARCHIVE_DAMAGED' });
  await assert.rejects(verifyBackup(file, effects), { code: 'ARCHIVE_DAMAGED' });
  assert.deepEqual(fs.readdirSync(dir), ['b.tar.gz', 'home']);
  assert.equal(fs.readFileSync(join(home, 'config.json'), 'utf8'), '{"v": 1}');
});

test('a hostile backup is refused by restore and by verify', async (t) => {
  const { dir, home } = makeHome(t, { 'config.json': '{}' });
  fs.symlinkSync('/etc', join(home, 'evil'));
  const file = join(dir, 'b.tar.gz');
  execFileSync('tar', ['-zcf', file, home], { stdio: 'pipe' });
  await assert.rejects(restoreHome({ file, into: join(dir, 'new') }, effects), { code: 'ARCHIVE_ESCAPES' });
  await assert.rejects(verifyBackup(file, effects), { code: 'ARCHIVE_ESCAPES' });
  assert.deepEqual(fs.readdirSync(dir), ['b.tar.gz', 'home']);
});

test('a link out of the home is left out with a note, one into it is kept and can be restored', async (t) => {
  const { dir, home } = makeHome(t, { 'config.json': '{}', 'results/x': 'x' });
  fs.symlinkSync('/etc', join(home, 'out'));
  fs.symlinkSync(join(home, 'results'), join(home, 'latest'));
  const file = join(dir, 'b.tar.gz');
  const { notes } = await backupHome({ home, file }, effects);
  assert.deepEqual(notes, [`${home}/out is a link to the absolute path /etc.`]);
  await restoreHome({ file, into: join(dir, 'new') }, effects);
  assert.equal(fs.readlinkSync(join(dir, 'new/latest')), 'results');
});

test('archives of the original dashboard are restored: plain tar of an absolute path', async (t) => {
  for (const definition of ['config.json', 'config/config.json', 'nightmark.yml']) {
    const { dir, home } = makeHome(t, {
      [definition]: '{}',
      'config/experiments/alpha/config.json': '{}',
      'results/experiments/data/alpha/data_1.json': '{"a": 1}',
    });
    const file = join(dir, 'dashboard_01-05-2026-0307.tar.gz');
    execFileSync('tar', ['-zcf', file, home], { stdio: 'pipe' });
    assert.equal((await verifyBackup(file, effects)).prefix, home.slice(1));
    await restoreHome({ file, into: join(dir, 'new') }, effects);
    execFileSync('diff', ['-r', home, join(dir, 'new')]);
  }
});

test('a home called "config" is found, and an archive without a home is refused', async (t) => {
  const { dir, home } = makeHome(t, { 'config/config.json': '{}', 'a/b': 'x' });
  const file = join(dir, 'b.tar.gz');
  await archiver.pack({ file, root: join(home, 'config') });
  assert.equal((await verifyBackup(file, effects)).prefix, join(home, 'config').slice(1));
  execFileSync('tar', ['-zcf', file, '-C', home, '.']);
  assert.equal((await verifyBackup(file, effects)).prefix, '');
  await archiver.pack({ file, root: join(home, 'a') });
  await assert.rejects(verifyBackup(file, effects), { code: 'RESTORE_NO_HOME' });
});

for (const night of ['1', '2', '3', '4']) {
  test(`the recorded night ${night}: archives list what those of the original list`, async (t) => {
    const golden = join(process.cwd(), 'test/golden/relay/expected/01-basic', night, 'archives.txt');
    const sections = fs
      .readFileSync(golden, 'utf8')
      .split(/^== (.*)\n/m)
      .slice(1);
    assert.equal(sections.length % 2, 0);
    const { dir } = makeHome(t, {});
    for (let at = 0; at < sections.length; at += 2) {
      const name = sections[at] ?? '';
      const paths = (sections[at + 1] ?? '')
        .trim()
        .split('\n')
        .map((path) => path.replace('@WORK@', dir));
      fs.rmSync(join(dir, 'cases'), { recursive: true, force: true });
      for (const path of paths) {
        if (path.endsWith('/')) fs.mkdirSync(path, { recursive: true });
        else fs.writeFileSync(path, '{}');
      }
      const file = join(dir, name);
      const root = (paths[0] ?? '').slice(0, -1);
      if (name.startsWith('dashboard_')) await backupHome({ home: root, file }, effects);
      else await archiver.pack({ file, root });
      const listed = (await archiver.list(file)).map(({ path }) => `/${path}`);
      assert.deepEqual(listed, [...paths].sort());
    }
  });
}

function makeHome(
  t: { after(work: () => void): void },
  files: Readonly<Record<string, string | Uint8Array>>,
): { dir: string; home: string } {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-backup-')));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  const home = join(dir, 'home');
  for (const [path, content] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(home, path)), { recursive: true });
    fs.writeFileSync(join(home, path), content);
  }
  return { dir, home };
}
