import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lacks, noPython } from '../support/python-job.ts';
import { chartRecorder, folderWith, removeFolders, shown } from '../support/python-kit.ts';

const skip = noPython;
after(removeFolders);

const heights = (chart: { readonly spec: Record<string, unknown> } | undefined) =>
  (chart?.spec['series'] as { readonly y: readonly number[] }[] | undefined)?.[0]?.y;

test('plots become chart descriptions', { skip }, () => {
  const seen = shown(`import datetime
from plot_util import *
from nightmark_axes import GROUP_WIDTH
raw = {'A': 0.0075, 'B': float('nan'), 'C': 0}
show('bar', PlotBuilder().set_title('T').set_x_label('X').set_y_label('Y').set_y_scale(PlotScale.LOG).set_sig_figs(2)
     .set_bar_colors(['C1', 'r', '#123456']).set_font_scale(1.5).set_x_scale(PlotScale.LOG)
     .make(PlotType.BAR, {'meta': ['x', 'y'], 'raw': raw}).spec())
show('kept', [len(raw), raw['A']])
show('late', PlotBuilder().make(PlotType.BAR, {'meta': ['x', 'y'], 'raw': {'A': 0.6}}).set_unit_type(UnitType.COMPARATIVE).spec()['bars'])
show('milli', PlotBuilder().set_unit_type(UnitType.MILLISECONDS).make(PlotType.BAR, {'meta': [], 'raw': {'A': 6}}).spec()['bars'])
show('multi', PlotBuilder().set_figure_height(3.0).set_aspect_ratio(3.3).make(PlotType.MULTI_BAR, {'meta': ['Pass', 'Network', 'y'],
     'raw': {'O0': {'rnn': 1, 'gru': None}, 'O1': {'gru': 2, 'new': 0.5}}}).spec())
days = [datetime.datetime(2026, 1, 5, 3, 7), datetime.datetime(2026, 1, 6), datetime.date(2026, 1, 7), datetime.datetime(2026, 1, 8)]
show('time', PlotBuilder().set_x_scale(PlotScale.LINEAR).make(PlotType.LONGITUDINAL, {'meta': ['x', 'y'], 'raw': {'x': days, 'y': [1, float('inf'), 3]}}).spec())
show('line', PlotBuilder().set_x_scale(PlotScale.LOG).set_unit_type(UnitType.COMPARATIVE)
     .make(PlotType.LONGITUDINAL, {'meta': ['x', 'y'], 'raw': {'x': [1, 2.5], 'y': [3, 4]}}).spec())
def error(kind, raw): return raised(PlotBuilder().make, kind, {'meta': ['a', 'b', 'c'], 'raw': raw})
show('errors', [error(PlotType.BAR, {}), error(PlotType.BAR, {'a': 'text'}), error(PlotType.BAR, {'a': float('nan')}), error('PIE', {'a': 1}),
     error(PlotType.MULTI_BAR, {'a': {}}), error(PlotType.MULTI_BAR, {'a': 3}), error(PlotType.LONGITUDINAL, {'x': [], 'y': []}),
     error(PlotType.LONGITUDINAL, {'x': ['a'], 'y': [1]}), raised(PlotBuilder().save, '/tmp', 'x.png')])
show('enums', [PlotType.BAR.is_bar_variant(), PlotType.MULTI_BAR.is_bar_variant(), PlotType.LONGITUDINAL.is_bar_variant(), PlotScale.LOG.as_plt_arg(),
     PlotScale.LINEAR.as_plt_arg(), NUM_SIG_FIGS, UNIT_TYPE.name])
show('sizes', [{key: value for key, value in builder.make(PlotType.BAR, {'meta': [], 'raw': {'a': 1}}).spec().items() if key in ('width', 'height')}
     for builder in [PlotBuilder(), PlotBuilder().set_aspect_ratio(2), PlotBuilder().set_figure_height(2.5)]])`);
  const rest = { yScale: 'linear', significantFigures: 3 };
  assert.deepEqual(seen['bar'], {
    chart: 'bar',
    bars: [
      { label: 'A', value: 7.5 },
      { label: 'C', value: 0 },
    ],
    ...{ title: 'T', xTitle: 'X', yTitle: 'Y', yScale: 'log', significantFigures: 2, fontScale: 1.5 },
    colors: ['C1', '#ff0000', '#123456'],
  });
  assert.deepEqual(seen['kept'], [3, 0.0075]);
  assert.deepEqual([seen['late'], seen['milli']], [[{ label: 'A', value: 0.6 }], [{ label: 'A', value: 6 }]]);
  assert.deepEqual(seen['multi'], {
    chart: 'grouped-bar',
    groups: ['rnn', 'gru', 'new'],
    series: [
      { label: 'O0', values: [1000, null, null] },
      { label: 'O1', values: [null, 2000, 500] },
    ],
    ...{ legendTitle: 'Pass', width: 1426, height: 432, ...rest },
  });
  assert.deepEqual(seen['time'], {
    ...{ chart: 'line', points: true, xScale: 'time', ...rest },
    series: [{ x: ['2026-01-05T03:07:00', '2026-01-07'], y: [1000, 3000] }],
  });
  const line = { chart: 'line', points: true, xScale: 'log', ...rest };
  assert.deepEqual(seen['line'], { ...line, series: [{ x: [1, 2.5], y: [3, 4] }] });
  const [none, text] = ['RuntimeError: no data to plot', 'RuntimeError: non-numeric value given'];
  const unknown = 'RuntimeError: unknown plot type "PIE"';
  assert.deepEqual(seen['errors'], [none, text, none, unknown, none, text, none, text, none]);
  assert.deepEqual(seen['enums'], [true, true, false, 'log', 'linear', 3, 'SECONDS']);
  assert.deepEqual(seen['sizes'], [{}, { width: 1382, height: 691 }, { width: 540, height: 360 }]);
  const warnings = seen.stderr.split('\n').filter((text) => text.startsWith('WARNING'));
  assert.deepEqual(warnings.slice(0, 2), [
    'WARNING:root:B is nan: left out of the graph',
    'WARNING:root:O0, gru is None: left out of the graph',
  ]);
});

test('bars and their labels can be moved between make and save', { skip }, () => {
  const seen = shown(`from plot_util import *
data = {'meta': ['l', 'x', 'y'], 'raw': {'A': {'p': 1, 'q': 0}, 'B': {'p': 3, 'q': 4}}}
builder = PlotBuilder().set_unit_type(UnitType.COMPARATIVE).make(PlotType.MULTI_BAR, data)
ax = builder.ax()
show('containers', [[round(bar.get_x(), 9) for bar in container.get_children()] + [container.get_children()[0].get_width()] for container in ax.containers])
show('texts', [[round(x, 9), y] for x, y in (text.get_position() for text in ax.texts)])
bar = ax.containers[0].get_children()[0]
bar.set_x(bar.get_x() + 0.25)
ax.texts[2].set_x(ax.texts[2].get_position()[0] - 0.125)
show('moved', builder.spec()['series'])
single = PlotBuilder().make(PlotType.BAR, {'meta': ['x', 'y'], 'raw': {'A': 1, 'B': 2}})
for bar in single.ax().containers[0].get_children(): bar.set_x(bar.get_x() + 0.5 * bar.get_height() / 1000)
show('single', single.spec()['bars'])
again = builder.make(PlotType.MULTI_BAR, data).spec()['series']
show('fresh', any('offsets' in series for series in again))`);
  assert.deepEqual(seen['containers'], [
    [-0.4, 0.6, 0.4],
    [0, 1, 0.4],
  ]);
  assert.deepEqual(seen['texts'], [
    [-0.2, 1],
    [0.2, 3],
    [1.2, 4],
  ]);
  const moved = seen['moved'] as { offsets: number[]; labelOffsets: (number | null)[] }[];
  assert.deepEqual(moved[0], { label: 'A', values: [1, 0], offsets: [0.25, 0], labelOffsets: [0, null] });
  assert.deepEqual(moved[1]?.offsets, [0, 0]);
  assert.ok(Math.abs((moved[1]?.labelOffsets[1] ?? 0) + 0.125) < 1e-12);
  assert.deepEqual(seen['single'], [
    { label: 'A', value: 1000, offset: 0.5 },
    { label: 'B', value: 2000, offset: 1 },
  ]);
  assert.equal(seen['fresh'], false);
});

test('save draws at once, one command a graph; many over time are drawn by one', { skip }, () => {
  const { env, calls } = chartRecorder();
  const out = folderWith();
  shown(
    `from plot_util import *
out = ${JSON.stringify(out)}
builder = PlotBuilder().make(PlotType.BAR, {'meta': ['x', 'y'], 'raw': {'A': 1}})
builder.save(out + '/new folder', 'a.png').save(out, 'version-1.5')
builder.fig().savefig(out + '/b.png', dpi=500)
data = [{'timestamp': '01-0%d-2026-0300' % day, 'success': True, 'cpu': {'x;y': {'a/b': day, 'text': 't'}, 'flat': day / 2, 'flag': True},
         'detailed': {'mean': 1}} for day in (1, 2, 3)]
data[0]['cpu']['flat'] = {'was': 'deeper'}
generate_longitudinal_comparisons(data, out)
generate_longitudinal_comparisons(data, out, 'sub', 'Score', UnitType.COMPARATIVE)
generate_longitudinal_comparisons([], out, 'nothing')`,
    { env },
  );
  const seen = calls();
  assert.deepEqual(
    seen.map(({ how, charts }) => [how, charts.map(({ output }) => output.slice(out.length + 1))]),
    [
      ['single', ['new folder/a.png']],
      ['single', ['version-1.5.png']],
      ['single', ['b.png']],
      ['batch', ['longitudinal/longitudinal-cpu-x;y-a_b.png', 'longitudinal/longitudinal-cpu-flat.png']],
      ['batch', ['sub/longitudinal-cpu-x;y-a_b.png', 'sub/longitudinal-cpu-flat.png']],
    ],
  );
  const [deep, flat] = seen[3]?.charts ?? [];
  assert.deepEqual(deep?.spec, {
    ...{ chart: 'line', points: true, xScale: 'time', yScale: 'linear', significantFigures: 3 },
    ...{ title: '(cpu,x;y,a/b) over Time', xTitle: 'Date of Run', yTitle: 'Time (ms)' },
    series: [
      { x: ['2026-01-01T03:00:00', '2026-01-02T03:00:00', '2026-01-03T03:00:00'], y: [1000, 2000, 3000] },
    ],
  });
  assert.deepEqual(heights(flat), [1000, 1500]);
  assert.equal(seen[4]?.charts[1]?.spec['yTitle'], 'Score');
  assert.deepEqual(heights(seen[4]?.charts[1]), [1, 1.5]);
  assert.ok(existsSync(join(out, 'new folder/a.png')) && !existsSync(join(out, 'nothing')));
});

test('a command that fails or is not there is a RuntimeError that says so', { skip }, () => {
  const bin = folderWith({ fail: '#!/bin/sh\necho "error: no such scale" >&2\nexit 3\n' });
  const save = `from plot_util import *
def draw(): PlotBuilder().make(PlotType.BAR, {'meta': ['x', 'y'], 'raw': {'A': 1}}).save(${JSON.stringify(bin)}, 'a.png')
import os, nightmark_charts
os.environ['NIGHTMARK'] = 'sh ' + ${JSON.stringify(join(bin, 'fail'))}; show('fails', raised(draw))
os.environ['NIGHTMARK'] = '/nowhere/nightmark'; show('gone', raised(draw))
del os.environ['NIGHTMARK']
show('own', [word.rsplit('/', 1)[-1] for word in nightmark_charts.nightmark_command()])
nightmark_charts.__file__ = '/elsewhere/kit/python/x.py'; show('path', raised(draw))`;
  const seen = shown(save, { env: { PATH: `${process.execPath.replace(/\/node$/, '')}:/usr/bin:/bin` } });
  assert.match(
    String(seen['fails']),
    /^RuntimeError: sh .*\/fail chart failed with exit code 3: error: no such scale$/,
  );
  assert.match(
    String(seen['gone']),
    /^RuntimeError: Graphs are drawn by the command \/nowhere\/nightmark, which cannot be started/,
  );
  assert.deepEqual(seen['own'], ['sh', 'nightmark']);
  assert.match(
    String(seen['path']),
    /^RuntimeError: Graphs are drawn by the command nightmark, which cannot be found: .*NIGHTMARK\.$/,
  );
});

test('matplotlib is not loaded, even where it is installed', { skip: lacks('numpy') }, () => {
  const { env } = chartRecorder();
  const seen = shown(
    `import sys
from plot_util import *
PlotBuilder().make(PlotType.BAR, {'meta': ['x', 'y'], 'raw': {'A': 1}}).save(${JSON.stringify(folderWith())}, 'a.png')
show('loaded', [name for name in ('numpy', 'matplotlib', 'seaborn', 'pandas') if name in sys.modules])`,
    { env, isBare: false },
  );
  assert.deepEqual(seen['loaded'], []);
});
