import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runInProcess } from '../support/in-process.ts';

const TINY = readFileSync('examples/matrix-tiny/tiny.workload.yml', 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'nightmark-report-'));
after(() => rmSync(folder, { recursive: true }));
cpSync('test/golden/matrix/results', join(folder, 'tree'), { recursive: true });
writeFileSync(join(folder, 'tiny.yml'), TINY);

function report(out: string, ...options: string[]) {
  const workload = options.includes('-w') ? [] : ['-w', 'tiny.yml'];
  return runInProcess(['matrix', 'report', 'tree', ...workload, '-o', out, ...options], { cwd: folder });
}

const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');

test('a query gives numbered reports, figures and their index; an unknown plot is reported and the others are drawn', async () => {
  const query =
    'stats=report: KPI Table Report by settings&stats=nope&stats=lines&model_name=m1&cfg=kpi=tiny_memory';
  const { code, stdout, stderr } = await report('query', '--generate', query);
  assert.equal(code, 0);
  assert.deepEqual(readdirSync(join(folder, 'query')).sort(), [
    'fig_02_lines.html',
    'fig_02_lines.png',
    'fig_02_lines.svg',
    'report_00_kpi_table_report_by_settings.html',
    'report_00_kpi_table_report_by_settings_files',
    'reports_index.html',
  ]);
  assert.match(stderr, /^ERROR \| nope: There is no plot "nope"\./m);
  assert.match(stdout, /^2 plots drawn: query\/reports_index\.html$/m);
  const table = read('query', 'report_00_kpi_table_report_by_settings.html');
  // The fixed setting does fix: the two tests of m1 and no other.
  assert.match(table, /100\.00 req\/s[\s\S]*210\.00 req\/s/);
  assert.ok(!table.includes('400.00 req/s'));
  assert.deepEqual(
    readFileSync(join(folder, 'query/fig_02_lines.png')).subarray(0, 4),
    Buffer.from('\x89PNG', 'latin1'),
  );
  const index = read('query', 'reports_index.html');
  assert.ok(index.includes('<a href="fig_02_lines.html">Lines</a> <a href="fig_02_lines.svg">svg</a>'));
  assert.ok(index.includes('FAILED: There is no plot &#34;nope&#34;'));
  assert.equal((await report('query', '--generate', query, '--strict', '--format', 'svg')).code, 1);
});

test('the same input gives the same bytes', async () => {
  const names = ['report_00_kpi_plot_report.html', 'report_00_kpi_plot_report_files/fig_1.svg'];
  const query = ['--generate', 'stats=kpi_plot_report', '--format', 'html,svg'];
  await report('one', ...query);
  await report('two', ...query);
  for (const name of names) assert.equal(read('one', name), read('two', name));
});

test('a plots file has a folder for each filter', async () => {
  const plots = `download: []\nvisualize:\n- id: x\n  generate: ['KPI Plot&cfg=title=Mine']\n  filters: [null, model_name=m2, model_name=../m9]\n`;
  writeFileSync(join(folder, 'plots.yaml'), plots);
  const { code, stdout, stderr } = await report(
    'filters',
    '--plots',
    'plots.yaml',
    '--format',
    'svg',
    '--json',
  );
  assert.equal(code, 0);
  const { groups } = JSON.parse(stdout) as { groups: { folder: string; drawn: { files: string[] }[] }[] };
  assert.deepEqual(
    groups.map(({ folder, drawn }) => [folder, drawn[0]?.files]),
    [
      ['', ['fig_00_kpi_plot.svg']],
      ['model_name=m2', ['fig_00_kpi_plot.svg']],
      ['model_name=.._m9', []],
    ],
  );
  assert.match(stderr, /No entry passes the filter model_name=\.\.\/m9/);
  assert.ok(read('filters', 'fig_00_kpi_plot.svg').includes('>Mine<'));
  assert.ok(read('filters', 'fig_00_kpi_plot.svg').includes('m1'));
  assert.ok(!read('filters', 'model_name=m2', 'fig_00_kpi_plot.svg').includes('m1'));
  assert.ok(read('filters', 'reports_index.html').includes('href="model_name%3Dm2/reports_index.html"'));
});

test('plots that the workload file asks for are drawn with their options', async () => {
  const plots = `plots:\n- {plot: bars, title: Memory of all, y: tiny_memory, x: model_name}\n- {plot: lines, field: throughput, id: speed}\n- {plot: barz}\n`;
  writeFileSync(join(folder, 'chosen.yml'), `${TINY}${plots}`);
  const { code, stderr } = await report('chosen', '-w', 'chosen.yml', '--format', 'svg', '--strict');
  assert.equal(code, 1);
  assert.match(stderr, /ERROR \| the workload requests an unknown plot "barz"; did you mean bars\?/);
  assert.ok(read('chosen', 'fig_00_bars_1.svg').includes('>Memory of all<'));
  assert.match(read('chosen', 'fig_01_speed.svg'), /throughput/);
  assert.ok(existsSync(join(folder, 'chosen/report_02_kpi_table_report_by_settings.html')));
});

test('a plot of a module that throws costs itself only, and nothing it says is markup', async () => {
  const source = `export default {
  name: '<script>tiny</script>', parse: async () => ({}),
  plots: [
    { name: 'bad', id: 'bad', isReport: false, draw: () => { throw new Error('no <b>luck</b>'); } },
    { name: 'none', id: 'none', isReport: true, draw: () => null },
    { name: 'holes', id: 'holes', isReport: true, draw: () => [null, { type: 'text', text: '<script>1</script>' }] },
  ],
};\n`;
  writeFileSync(join(folder, 'module.mjs'), source);
  const { code, stderr } = await report(
    'module',
    '-w',
    'module.mjs',
    '--generate',
    'stats=bad&stats=none&stats=holes',
  );
  assert.equal(code, 0);
  assert.match(
    stderr,
    /ERROR \| bad: no <b>luck<\/b>\nERROR \| none: it did not return a list of parts\nERROR \| holes: 1 of its parts/,
  );
  assert.match(read('module', 'report_02_holes.html'), /<p>&#60;script&#62;1/);
  assert.ok(!read('module', 'reports_index.html').includes('<script'));
  assert.ok(!read('module', 'reports_index.html').includes('<b>'));
});

test('refuses contradicting options before anything is written', async () => {
  const cases: [string[], RegExp][] = [
    [['--format', 'gif'], /Invalid --format: gif/],
    [['--plots', 'plots.yaml', '--generate', 'stats=a'], /exclude each other/],
    [['--plots', 'absent.yaml'], /There is no plots file/],
    [['--filter', 'model_name=m9'], /No entries found in tree/],
  ];
  for (const [options, message] of cases) {
    const { code, stderr } = await report('refused', ...options);
    assert.equal(code, 1);
    assert.match(stderr, message);
  }
  writeFileSync(join(folder, 'wrong.yaml'), 'visualize:\n- generate: lines\n');
  const { stderr } = await report('refused', '--plots', 'wrong.yaml');
  assert.match(
    stderr,
    /wrong\.yaml:2:13: visualize\[0\]\.generate: expected a list of names of plots, found "lines"/,
  );
  assert.equal(existsSync(join(folder, 'refused')), false);
});

test('--list reports which plots there are', async () => {
  const { stdout } = await report('list', '--list');
  assert.match(stdout, /^kpi_over_versions +KPI over versions$/m);
});
