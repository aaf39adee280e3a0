import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runInProcess } from '../support/in-process.ts';

const inputs = join(process.cwd(), 'test/golden/duet/inputs');
const dir = mkdtempSync(join(tmpdir(), 'nightmark-duet-plan-'));
after(() => rmSync(dir, { recursive: true, force: true }));

function duetFile(name: string, text: string): string {
  const file = join(dir, name);
  writeFileSync(file, text);
  return file;
}

const duetRun = (...args: readonly string[]) => runInProcess(['duet', 'run', ...args], { cwd: inputs });
const GOOD = 'duetbench: { suite: s, results: [r], duets: [d] }\nd: { A: { run: x } }\n';

test('the plan as JSON has its entries in the order of execution', async () => {
  const { code, stdout, stderr } = await duetRun('--dry-run', '--json', 'tiny.duet.yml');
  assert.equal(code, 0, stderr);
  const plan = JSON.parse(stdout) as readonly Record<string, unknown>[];
  assert.equal(plan.length, 11);
  assert.deepEqual(plan[0], { type: 'duet', benchmark: 'fop', runid: 0, order: 'AB', pair: null });
  assert.deepEqual(plan.at(-1), { type: 'seqn', benchmark: 'chi-square', runid: 0, order: null, pair: 'A' });
});

test('several files make one list that names them', async () => {
  const { stdout } = await duetRun('timeout.duet.yml', 'sigint.duet.yml', '--dry-run', '--json');
  const plan = JSON.parse(stdout) as readonly { file: string; benchmark: string; order: string }[];
  assert.deepEqual(
    plan.map(({ file, benchmark, order }) => `${file} ${benchmark} ${order}`),
    [
      'timeout.duet.yml slow BA',
      'timeout.duet.yml fails AB',
      'timeout.duet.yml noresult BA',
      'sigint.duet.yml a AB',
      'sigint.duet.yml b AB',
    ],
  );
});

test('people get lines with the seed, also when it was drawn', async () => {
  const filtered = await duetRun('tiny.duet.yml', '--dry-run', '--filter', 'als.v2');
  assert.equal(
    filtered.stdout,
    'tiny.duet.yml: tiny, seed 42, 3 runs, 2 of 3 duets left out\n' +
      '  1  seqn      B   als.v2 0\n  2  seqn      A   als.v2 0\n  3  duet      AB  als.v2 0\n',
  );
  const drawn = await duetRun(duetFile('good.yml', GOOD), '--dry-run');
  assert.match(drawn.stdout, /good\.yml: s, seed \d+, 1 runs\n {2}1 {2}duet {6}(AB|BA) {2}d 0\n$/);
});

test('a filter may be ended by -- before the files', async () => {
  const { code, stdout } = await duetRun(
    '--dry-run',
    '--json',
    '--filter',
    'a',
    'b',
    '--',
    'sigint.duet.yml',
  );
  assert.equal(code, 0);
  assert.equal((JSON.parse(stdout) as unknown[]).length, 2);
});

test('a bad file is reported with its line while the others are planned, and the exit code says it', async () => {
  const bad = duetFile(
    'bad.yml',
    'duetbench:\n  suite: s\n  results: [r]\n  duets: [d]\nd:\n  schedule: x\n  A: { run: x }\n',
  );
  const { code, stdout, stderr } = await duetRun(bad, 'sigint.duet.yml', '--dry-run', '--json');
  assert.equal(code, 1);
  assert.match(
    stderr,
    /bad\.yml:6:3: error: d\.schedule is not a known key\n {4}It belongs to duetbench\.\n$/,
  );
  const plan = JSON.parse(stdout) as readonly { file: string }[];
  assert.deepEqual(
    plan.map(({ file }) => file),
    ['sigint.duet.yml', 'sigint.duet.yml'],
  );
});

test('a file that is not there, and a name that no file has, are refused', async () => {
  const missing = await duetRun('none.yml', '--dry-run');
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /none\.yml: error: There is no file /);
  const unknown = await duetRun('tiny.duet.yml', '--dry-run', '--filter', 'chi-sqare');
  assert.equal(unknown.code, 1);
  assert.match(
    unknown.stderr,
    /There is no duet "chi-sqare"\.\n {2}Did you mean "chi-square"\?\n {2}\[DUET_UNKNOWN_BENCHMARK\]/,
  );
});

test('check reports every problem of a duet.yml', async () => {
  const good = await runInProcess(['check', duetFile('good.yml', GOOD)]);
  assert.equal(good.code, 0);
  assert.equal(good.stdout, '0 errors, 0 warnings; s: 1 duets\n');
  const bad = duetFile('worse.yml', 'duetbench: { duets: [d] }\nd: { timeout: soon, run: y, A: {} }\n');
  const { code, stdout } = await runInProcess(['check', 'worse.yml', '--json'], { cwd: dir });
  assert.equal(code, 1);
  const report = JSON.parse(stdout) as {
    readonly [key: string]: unknown;
    problems: readonly { message: string }[];
  };
  assert.equal(report['file'], bad);
  assert.equal(report['isUsable'], false);
  assert.deepEqual([report['errors'], report['warnings']], [4, 1]);
  assert.deepEqual(
    report.problems.map(({ message }) => message.split(':')[0]),
    ['d', 'd.timeout', 'd.run is not used', 'd.A', 'd.A.run'],
  );
});
