import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { frozenClock, runInProcess } from '../support/in-process.ts';
import { SearchServer } from '../support/search-server.ts';

const WORKLOAD = join(process.cwd(), 'dist/test/support/tiny-kpis.js');
const folder = mkdtempSync(join(tmpdir(), 'nightmark-export-command-'));
cpSync('test/golden/matrix/results', join(folder, 'results'), { recursive: true });
cpSync('test/golden/matrix/lts', join(folder, 'lts'), { recursive: true });
const server = new SearchServer('hush');
const address = await server.listen();
const env = { NIGHTMARK_OPENSEARCH_USER: 'admin', NIGHTMARK_OPENSEARCH_PASSWORD: 'hush' };
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

function matrix(words: readonly string[], own: Record<string, string> = env) {
  const clock = frozenClock('2024-09-05T00:00:00Z');
  return runInProcess(['matrix', ...words], { cwd: folder, clock, env: own });
}

test('results go to an index, and come back as payload files with their anchor', async () => {
  const to = `opensearch:${address}#tiny`;
  const sent = await matrix(['export', 'results', '-w', WORKLOAD, '--to', to]);
  assert.deepEqual([sent.code, sent.stdout], [0, `4 payloads sent to opensearch ${address}#tiny\n`]);
  assert.match(sent.stderr, /090__skipped: it has a file "skip"/);
  const back = await matrix(['import', '--from', to, '--to', 'back']);
  assert.deepEqual([back.code, back.stderr], [0, '']);
  const ids = ['abc0', 'abc1', 'abc2', 'abc3'].map((id) => `tiny_00000000-0000-4000-8000-00000000${id}.json`);
  assert.deepEqual(readdirSync(join(folder, 'back')).sort(), ['source.lts.yaml', ...ids]);
  const text = readFileSync(join(folder, 'back', ids[0] ?? ''), 'utf8');
  assert.ok(text.startsWith('{\n    "') && text.endsWith('}\n'));
  const golden = JSON.parse(readFileSync('test/golden/matrix/expected/lts_payload.json', 'utf8')) as {
    metadata: { test_uuid: string };
  }[];
  assert.deepEqual(
    JSON.parse(text),
    golden.find(({ metadata }) => metadata.test_uuid.endsWith('abc0')),
  );
  assert.match(readFileSync(join(folder, 'back', 'source.lts.yaml'), 'utf8'), /^index: "tiny"$/m);
});

test('a dry run names indices and ids, and sends nothing', async () => {
  const to = `opensearch:${address}#dry`;
  const { code, stdout } = await matrix([
    'export',
    'results',
    '-w',
    WORKLOAD,
    '--to',
    to,
    '--by-kpi',
    '--dry-run',
  ]);
  assert.equal(code, 0);
  assert.match(stdout, /^index dry\.tiny_throughput, id 00000000-0000-4000-8000-00000000abc0$/m);
  assert.equal(stdout.trim().split('\n').length, 12);
  assert.ok(![...server.indices.keys()].some((name) => name.startsWith('dry')));
});

test('payload files go to a table and back, with a filter and a limit', async () => {
  const sent = await matrix([
    'export',
    'lts',
    '--to',
    'csv:history.csv',
    '--filter',
    'model_name=m1',
    '--json',
  ]);
  assert.equal(sent.code, 0);
  const { sent: count } = JSON.parse(sent.stdout) as { sent: number };
  assert.ok(count > 5 && count < 34);
  const back = await matrix([
    'import',
    '--from',
    'csv:history.csv',
    '--to',
    'few',
    '--max-records',
    '3',
    '--name',
    'tiny',
  ]);
  assert.equal(back.code, 0);
  const names = readdirSync(join(folder, 'few')).filter((name) => name.endsWith('.json'));
  assert.equal(names.length, 3);
  const [name = ''] = names;
  assert.deepEqual(
    JSON.parse(readFileSync(join(folder, 'few', name), 'utf8')),
    JSON.parse(readFileSync(join(folder, 'lts', name), 'utf8')),
  );
});

test('a payload that the workload refuses is reported and left out', async () => {
  const name = readdirSync(join(folder, 'lts')).find((each) => each.endsWith('.json')) ?? '';
  const payload = JSON.parse(readFileSync(join(folder, 'lts', name), 'utf8'));
  payload.metadata.settings.version = '1.13';
  writeFileSync(join(folder, 'bad.json'), JSON.stringify(payload));
  const words = ['export', 'lts', 'bad.json', '-w', WORKLOAD, '--to', 'caliper:kpis.json'];
  const { code, stdout, stderr } = await matrix(words);
  assert.equal(code, 1);
  assert.match(stdout, /^34 payloads sent to caliper/);
  assert.match(stderr, /metadata\.settings\.version must be a version/);
});

test('secrets come from the given variables, or from a file that is closed to others', async () => {
  const words = ['export', 'lts', '--to', `opensearch:${address}#secret`];
  const denied = await matrix(words, {});
  assert.equal(denied.code, 1);
  assert.match(denied.stderr, /EXPORT_DENIED/);
  const named = await matrix([...words, '--user-env', 'ME', '--password-env', 'MINE'], {
    ME: 'admin',
    MINE: 'hush',
  });
  assert.equal(named.code, 0);
  const unset = await matrix([...words, '--user-env', 'NOBODY'], {});
  assert.match(unset.stderr, /NOBODY is not set/);
  const file = join(folder, 'secrets.yml');
  writeFileSync(file, 'user: admin\npassword: hush\n');
  chmodSync(file, 0o644);
  const open = await matrix([...words, '--secret-file', 'secrets.yml'], {});
  assert.match(open.stderr, /chmod 600 secrets\.yml/);
  chmodSync(file, 0o600);
  assert.equal((await matrix([...words, '--secret-file', 'secrets.yml'], {})).code, 0);
  for (const { stdout, stderr } of [denied, named, unset, open]) assert.doesNotMatch(stdout + stderr, /hush/);
});

test('a target of an unknown kind, or a folder without anchor, says what to do', async () => {
  const unknown = await matrix(['export', 'lts', '--to', 'https://me:hush@host/']);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /caliper, csv, .*files/);
  assert.doesNotMatch(unknown.stderr, /hush/);
  const bare = await matrix(['export', 'results', '--to', 'csv:none.csv']);
  assert.match(bare.stderr, /it has no source\.lts\.yaml/);
  assert.match(bare.stderr, /--workload/);
});

test('imported payloads are stored in a home', async () => {
  const made = await runInProcess(['init', 'home'], { cwd: folder });
  assert.equal(made.code, 0, made.stderr);
  const { code, stdout, stderr } = await matrix(['import', '--from', 'files:lts#tiny', '--store', 'home']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^34 payloads stored in /);
});

test('a target that is unknown is refused before anything is read', async () => {
  const { code, stderr } = await matrix(['export', 'results', '-w', WORKLOAD, '--to', 'nowhere:x']);
  assert.equal(code, 1);
  assert.match(stderr, /^error: Invalid target: nowhere:x/);
});

test('MATBENCH_STORE_IGNORE_CACHE has everything read again, by the words of the original', async () => {
  const parse = (word: string) =>
    matrix(['parse', 'results', '-w', WORKLOAD], { MATBENCH_STORE_IGNORE_CACHE: word });
  await parse('no');
  assert.match((await parse('no')).stdout, /4 from the cache/);
  assert.match((await parse('false')).stdout, /4 from the cache/);
  for (const word of ['yes', 'y', 'true', 'True']) {
    assert.doesNotMatch((await parse(word)).stdout, /from the cache/, word);
  }
});
