import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runInProcess } from '../support/in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-check-'));
after(() => rmSync(folder, { recursive: true }));

const check = (...words: string[]) => runInProcess(['check', ...words], { cwd: folder });

async function checkText(name: string, text: string) {
  writeFileSync(join(folder, name), text);
  return check(name);
}

for (const [file, seen] of [
  ['examples/matrix/compression.yml', /^0 errors, 0 warnings; a matrix of 12 tests$/m],
  ['examples/matrix-tiny/tiny.workload.yml', /^0 errors, 0 warnings; workload tiny: \d+ fields, 3 KPIs$/m],
  ['examples/matrix-tiny/tiny.workload.mjs', /^0 errors, 0 warnings; a workload with 3 KPIs$/m],
] as const) {
  test(`${file} is known by what is in it`, async () => {
    const { code, stdout } = await check(join(process.cwd(), file));
    assert.match(stdout, seen);
    assert.equal(code, 0);
  });
}

test('plots, url files and matbench blocks are known, also two in one file', async () => {
  const plots = 'visualize:\n- {generate: [Lines, Bars], filters: [null, a=1]}\n';
  assert.match((await checkText('p.yaml', plots)).stdout, /^0 errors, 0 warnings; 4 plots to draw$/m);
  const both = `${plots}download:\n- {url: http://x/, dest_dir: y}\n`;
  assert.match((await checkText('b.yaml', both)).stdout, /; 4 plots to draw; 1 tree to fetch$/m);
  const block = 'cluster: {}\nmatbench: {workload: w.yml, lts: {generat: no}}\n';
  const { code, stdout } = await checkText('m.yaml', block);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^m\.yaml:2:35: warning: matbench\.lts\.generat is unknown[\s\S]*Did you mean "generate"/m,
  );
  assert.match(stdout, /^0 errors, 1 warning; a matbench block for the workload w\.yml$/m);
});

test('every problem has its place', async () => {
  const plots = await checkText('bad.yaml', 'visualize:\n- {generate: 3}\n- {filters: {}}\n');
  assert.equal(plots.code, 1);
  assert.match(
    plots.stdout,
    /^bad\.yaml:2:14: error: visualize\[0\]\.generate: expected a list of names of plots/m,
  );
  assert.match(plots.stdout, /^bad\.yaml:3:.*visualize\[1\]/m);
  assert.match(plots.stdout, /^3 errors, 0 warnings$/m);
  assert.match((await checkText('s.yaml', 'visualize: [\n')).stdout, /^s\.yaml:\d+:\d+: error: /m);
});

test('a file that is nothing we know says what is', async () => {
  for (const [name, text] of [
    ['x.yaml', 'foo: 1\n'],
    ['empty.yaml', ''],
    ['list.yaml', '[1, 2]\n'],
    ['table.csv', 'a,b\n1,2\n'],
  ] as const) {
    const { code, stdout } = await checkText(name, text);
    assert.equal(code, 1, name);
    assert.match(stdout, /is not a known definition file[\s\S]*duetbench:/);
  }
});

test('JSON names the kinds', async () => {
  writeFileSync(join(folder, 'j.yaml'), 'visualize: []\n');
  const { stdout } = await check('j.yaml', '--json');
  const { kinds, isUsable, errors } = JSON.parse(stdout) as Record<string, unknown>;
  assert.deepEqual([kinds, isUsable, errors], [['plots'], true, 0]);
});
