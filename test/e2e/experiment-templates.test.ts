import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runInProcess } from '../support/in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-templates-'));
after(() => rmSync(folder, { recursive: true }));

const STAGES = ['setup', 'run', 'analysis', 'visualization', 'summary'];
const hasPython = spawnSync('python3', ['--version']).status === 0;
const skipPython = !hasPython && 'no python3: install it to run the experiment of its template';

async function nightOf(layout: 'dashboard' | 'native', names: readonly string[]) {
  const home = join(folder, `${layout}-${names.join('-')}`);
  await runInProcess(['init', home, ...(layout === 'dashboard' ? ['--dashboard'] : [])]);
  for (const language of names) {
    const { code, stdout, stderr } = await runInProcess([
      'init',
      home,
      '--experiment',
      `my-${language}`,
      '--language',
      language,
    ]);
    assert.deepEqual([code, stderr], [0, '']);
    const [, file = ''] = /^ {2}(experiments\S+) +is what it measures/m.exec(stdout) ?? [];
    assert.ok(existsSync(join(home, file)) && file !== '', stdout);
  }
  const only = names.map((name) => `my-${name}`).join(',');
  const { code, stderr } = await runInProcess(['run', home, '--only', only]);
  assert.equal(code, 0, stderr);
  return home;
}

function checkResults(home: string, name: string, graph: RegExp): void {
  const results = (part: string) => join(home, 'results/experiments', part, name);
  for (const stage of STAGES) {
    const status = JSON.parse(readFileSync(join(results('status'), `${stage}.json`), 'utf8'));
    assert.equal(status.success, true, `${name} ${stage}: ${status.message}`);
  }
  const [data = ''] = readdirSync(results('data'));
  const { detailed } = JSON.parse(readFileSync(join(results('data'), data), 'utf8'));
  assert.ok(JSON.stringify(detailed).includes('"median"'));
  const graphs = readdirSync(results('graph'), { recursive: true, encoding: 'utf8' });
  assert.ok(
    graphs.some((file) => graph.test(file)),
    graphs.join(', '),
  );
  const summary = JSON.parse(readFileSync(join(results('summary'), 'summary.json'), 'utf8'));
  assert.equal(summary.title, name);
  assert.match(summary.value, /\d\.\d{3}/);
}

test('experiments in bash and Node run a night in a home with config.json', async () => {
  const home = await nightOf('dashboard', ['bash', 'node']);
  checkResults(home, 'my-bash', /^sort-rn\.png$/);
  checkResults(home, 'my-node', /^comparison\.png$/);
});

test('an experiment in Python runs a night in a home with nightmark.yml', { skip: skipPython }, async () => {
  const home = await nightOf('native', ['python']);
  checkResults(home, 'my-python', /^comparison\/sorting-cpu\.png$/);
});

test('experiments with one stage run a night, and nightmark.yml keeps what was in it', async () => {
  const home = join(folder, 'minimal');
  await runInProcess(['init', home]);
  const before = readFileSync(join(home, 'nightmark.yml'), 'utf8');
  const languages = ['bash', 'node', ...(hasPython ? ['python'] : [])];
  for (const language of languages) {
    await runInProcess(['init', home, '--experiment', `m-${language}`, '--language', language, '--minimal']);
  }
  const text = readFileSync(join(home, 'nightmark.yml'), 'utf8');
  for (const line of before.split('\n')) assert.ok(text.includes(line));
  const { code, stderr } = await runInProcess([
    'run',
    home,
    '--only',
    languages.map((name) => `m-${name}`).join(','),
  ]);
  assert.equal(code, 0, stderr);
  for (const language of languages) {
    const dir = join(home, 'results/experiments/data', `m-${language}`);
    const data = JSON.parse(readFileSync(join(dir, readdirSync(dir)[0] ?? ''), 'utf8'));
    assert.ok(JSON.stringify(data).includes('sort 1000'));
  }
});

test('what cannot be made is refused with a reason, and nothing is overwritten', async () => {
  const home = join(folder, 'refused');
  const init = async (...words: string[]) => (await runInProcess(['init', home, ...words])).stderr;
  assert.match(await init('--experiment', 'x'), /is not a home[\s\S]*\[CLI_NO_HOME\]/);
  await init('--dashboard');
  assert.match(await init('--experiment', '../x'), /\[INIT_NAME\]/);
  assert.match(await init('--experiment', 'x', '--language', 'cobol'), /no template for --language cobol/);
  assert.match(await init('--experiment', 'x', '--minimal'), /\[INIT_MINIMAL\]/);
  assert.equal(await init('--experiment', 'x'), '');
  assert.match(await init('--experiment', 'x'), /\[INIT_IN_THE_WAY\]/);
});
