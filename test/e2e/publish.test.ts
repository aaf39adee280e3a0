import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readAutoV2 } from '../../src/formats/core/garage/auto-v2.ts';
import { readProgressV1 } from '../../src/formats/core/garage/progress-v1.ts';
import { readResultsV0 } from '../../src/formats/core/garage/results-v0.ts';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../../src/home/core/home-layout.ts';
import { readDocument, siteFileName } from '../../src/platform/core/site/site-files.ts';
import type { SiteStatus } from '../../src/publish/core/site/site-map.ts';
import { HOSTILE, LAST_NIGHT, makeSampleHome, nightId } from '../sample-home.ts';
import { runBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';
import { filesIn } from '../support/publish-targets.ts';
import { follow } from '../support/published-site.ts';
import { freePort, skipWithout, startReal } from '../support/real-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-e2e-publish-'));
const home = join(folder, 'home');
const site = join(folder, 'site');
const argv = ['publish', home, '--to', `dir:${site}`] as const;
const publish = (...more: string[]) => runInProcess([...argv, ...more]);

before(async () => {
  await makeSampleHome(home, 12);
  mkdirSync(join(home, 'results/experiments/graph/sort'), { recursive: true });
  writeFileSync(join(home, 'results/experiments/graph/sort/evil.svg'), '<svg onload="alert(1)"/>');
  writeFileSync(join(home, 'results/experiments/graph/sort/old.png'), 'picture');
  writeFileSync(
    join(home, 'results/experiments/graph/sort/fine.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
  );
});

const fromDisk = async (place: string) => readFileSync(join(site, place), 'utf8');
const statusNow = () => readDocument(readFileSync(join(site, 'status.js'), 'utf8'))?.content as SiteStatus;

test('a dry run lists files with sizes and writes nothing', async () => {
  const { code, stdout } = await publish('--dry-run');
  assert.equal(code, 0);
  assert.match(stdout, /^write +\d+\.\d KiB {2}data\/home\.[\da-f]{16}\.js$/m);
  assert.match(stdout, /files \([\d.]+ [KM]iB\) would be written, 0 would be removed, 0 unchanged: dir:/);
  assert.deepEqual(filesIn(site), {});
});

test('a home becomes a site; what could run something stays out', async () => {
  const { code, stdout, stderr } = await runBinary([...argv, '--json']);
  assert.equal(code, 0, stderr);
  const report = JSON.parse(stdout) as {
    isFirst: boolean;
    leftOut: { unsafe: number };
    bytesWritten: number;
  };
  assert.equal(report.isFirst, true);
  assert.equal(report.leftOut.unsafe >= 1, true);
  const overview = readDocument(await follow(fromDisk, 'data/home.js'))?.content as {
    home: string;
    experiments: { name: string }[];
  };
  assert.equal(overview.home, 'home');
  assert.ok(overview.experiments.some(({ name }) => name === HOSTILE));
  const hostile = readDocument(await follow(fromDisk, `data/experiments/${siteFileName(HOSTILE)}.js`));
  assert.equal((hostile?.content as { name: string } | undefined)?.name, HOSTILE);
  const run = readDocument(await follow(fromDisk, `data/runs/${nightId(0)}.js`))?.content as {
    tasks: unknown[];
  };
  assert.ok(run.tasks.length > 3);
  assert.match(await follow(fromDisk, 'artifacts/sort/graph/fine.svg'), /^<svg/);
  assert.deepEqual(
    Object.keys(filesIn(site)).filter((path) => path.includes('graph/evil')),
    [],
  );
  assert.ok(
    !Object.values(filesIn(site)).some((text) => text.includes(folder)),
    'the site tells where the home lies',
  );
  assert.equal(statusNow().dataAt, LAST_NIGHT + 4_320_000);
});

test('published again nothing is written but the status', async () => {
  const earlier = filesIn(site);
  const { stdout } = await publish();
  assert.match(stdout, /^Nothing changed: only the status written, 0 removed, \d+ unchanged/);
  const { 'status.js': _, ...now } = filesIn(site);
  const { 'status.js': __, ...old } = earlier;
  assert.deepEqual(now, old);
});

test('nginx serves it', { skip: skipWithout('nginx', 'apt-get install nginx-light') }, async () => {
  const port = await freePort();
  const conf = join(folder, 'nginx.conf');
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/t;`)
    .join(' ');
  writeFileSync(
    conf,
    `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temps} types { text/html html; text/javascript js; image/svg+xml svg; } server { listen 127.0.0.1:${port}; root ${site}; } } user root;`,
  );
  const server = await startReal({
    program: 'nginx',
    args: ['-c', conf, '-p', folder, '-e', 'stderr'],
    port,
  });
  after(() => server.stop());
  const get = async (place: string) => {
    const answer = await fetch(`${server.url}/${place.split('/').map(encodeURIComponent).join('/')}`);
    assert.equal(answer.status, 200, place);
    return answer.text();
  };
  for (const path of [
    'data/home.js',
    `data/experiments/${siteFileName(HOSTILE)}.js`,
    'artifacts/sort/graph/fine.svg',
  ])
    assert.equal(await follow(get, path), await follow(fromDisk, path));
});

test('a night that broke leaves the earlier site and says so on it', async () => {
  const store = await openSqliteStore(homeLayout(home).index);
  const startedAt = LAST_NIGHT + 86_400_000;
  const run = {
    kind: 'night',
    project: 'sample',
    label: '02-01-2026-0200',
    startedAt,
    order: [],
    origin: 'measured',
    warnings: [],
  } as const;
  await store.saveRun({ ...run, id: '20260201-020000-test', state: 'interrupted' });
  store.close();
  const earlier = filesIn(site);
  const { code, stderr } = await publish();
  assert.equal(code, 4);
  assert.match(stderr, /The night 02-01-2026-0200 was interrupted\. The earlier site stays, with a note\./);
  assert.deepEqual({ ...filesIn(site), 'status.js': '' }, { ...earlier, 'status.js': '' });
  const { outcome, dataAt, attemptedAt, publishedAt } = statusNow();
  assert.deepEqual(outcome, {
    state: 'broken',
    reason: 'The night 02-01-2026-0200 was interrupted.',
    runId: '20260201-020000-test',
  });
  assert.equal(dataAt, LAST_NIGHT + 4_320_000);
  assert.ok(attemptedAt > publishedAt);
  const forced = await publish('--even-broken');
  assert.equal(forced.code, 4);
  assert.match(forced.stdout, /files \(.*\) written/);
  assert.match(await follow(fromDisk, 'data/runs/20260201-020000-test.js'), /interrupted/);
});

test('files of older pages are written on request, and lead to pictures that are there', async () => {
  const { code } = await publish('--write-old', '--even-broken');
  assert.equal(code, 4);
  const files = filesIn(site);
  const { graphs, time } = readResultsV0(files['resources/results.json'] ?? '');
  assert.deepEqual(graphs, ['artifacts/sort/graph/old.png']);
  assert.equal(files[graphs[0] ?? ''], 'picture');
  assert.match(time, /Z$/);
  const { tasks, commit } = readProgressV1(
    Buffer.from(files['resources/progress.json'] ?? '', 'latin1').toString(),
  );
  assert.ok(tasks.includes('sort') && commit === '6de6d63-dirty');
  const auto = readAutoV2(files['resources/auto/sort_cpu-A.json'] ?? '');
  assert.deepEqual([auto.x.length, auto.y, auto.commit], [12, auto.yMin, '6de6d63-dirty']);
});

test('what cannot be is refused with a way out', async () => {
  const refusals: readonly [readonly string[], RegExp][] = [
    [[home], /Where should the site go\?/],
    [[home, '--to', 'ftp://u:secret@host/x'], /"ftp:\/\/\*\*\*@host\/x" is not a target/],
    [[home, '--to', `dir:${home}`], /holds other things, and no site of Nightmark/],
    [[home, '--to', `dir:${join(home, 'nightmark.yml')}`], /nightmark\.yml/],
    [[home, '--to', 's3://bucket/x'], /There are no keys/],
    [[home, '--to', 'git:#pages'], /names no repository and branch/],
    [[home, '--to', `git:${join(folder, 'gone')}#pages`], /git ls-remote failed/],
    [[home, '--to', `dir:${site}`, '--max-size', 'lots'], /--max-size takes a size/],
    [[mkdtempSync(join(tmpdir(), 'nightmark-empty-')), '--to', `dir:${site}`], /has no results yet/],
  ];
  for (const [args, expected] of refusals) {
    const { code, stderr, stdout } = await runInProcess(['publish', ...args], {
      env: { AWS_ACCESS_KEY_ID: '' },
    });
    assert.equal(code, 1, args.join(' '));
    assert.match(stderr, expected);
    assert.doesNotMatch(stderr + stdout, /secret| {4}at /);
  }
});

test('a folder that is not there, or no home, is refused, and nothing is made', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'nightmark-no-home-'));
  const site = join(empty, 'site');
  for (const command of ['publish', 'report', 'notify']) {
    const words = command === 'publish' ? ['--to', `dir:${site}`] : [];
    const nowhere = await runInProcess([command, join(empty, 'nowhere'), ...words]);
    assert.deepEqual([nowhere.code, nowhere.stdout], [1, '']);
    assert.match(nowhere.stderr, /There is no folder .*nowhere\.[\s\S]*CLI_NO_HOME/);
    assert.equal((await runInProcess([command, empty, ...words])).code, 1);
  }
  assert.deepEqual(readdirSync(empty), []);
  rmSync(empty, { recursive: true });
});
