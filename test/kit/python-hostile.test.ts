import assert from 'node:assert/strict';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { noPython } from '../support/python-job.ts';
import { chartRecorder, folderWith, removeFolders, shown } from '../support/python-kit.ts';

const skip = noPython;
after(removeFolders);

const HEADER = 'dev,rep,run,time\r\n';
/** Tables, and the last line of what is said about them; none: they are read. */
const TABLES: Readonly<Record<string, readonly [table: string, said: string]>> = {
  empty: ['', 'ValueError: no row of the table has these values'],
  header: [HEADER, 'ValueError: no row of the table has these values'],
  ragged: [`${HEADER}cpu,0\r\ncpu,0,1,0.5\r\n\r\n`, 'success'],
  mark: [`\uFEFF${HEADER}cpu,0,1,0.5\r\n`, 'success'],
  later: [
    `${HEADER}cpu,7,1,0.5\r\n`,
    'ValueError: the 1 rows with these values are all of later repetitions than the first 1',
  ],
  nan: [
    `${HEADER}cpu,0,1,nan\r\ncpu,0,2,1\r\n`,
    'ValueError: among the times of the 2 rows with these values is one that is not finite',
  ],
  words: [`${HEADER}cpu,0,1,abc\r\n`, 'ValueError: time is not a number in the row cpu,0,1,abc'],
  rep: [`${HEADER}cpu,x,1,0.5\r\n`, 'ValueError: rep is not a number in the row cpu,x,1,0.5'],
};

test('tables that are broken are named with their row', { skip }, () => {
  const folder = folderWith(
    Object.fromEntries(Object.entries(TABLES).map(([name, [table]]) => [`${name}-t.csv`, table])),
  );
  const seen = shown(`from analysis_util import *
for name in ${JSON.stringify(Object.keys(TABLES))}:
    show(name, trials_stat_summary(${JSON.stringify(folder)}, name, 't', 1, ['dev'], {'dev': 'cpu'})[2].split('\\n')[-1])
show('column', trials_stat_summary(${JSON.stringify(folder)}, 'header', 't', 1, ['dev'], {'net': 1})[2].split('\\n')[-1])`);
  for (const [name, [, said]] of Object.entries(TABLES)) assert.equal(seen[name], said, name);
  assert.equal(seen['column'], 'ValueError: there is no column net among dev, rep, run, time');
  assert.match(seen.stderr, /^Left out line 2 of .*ragged-t\.csv: 2 of 4 columns\n$/);
});

test('of a table of a hundred thousand rows only those that match are kept', { skip }, () => {
  const folder = folderWith({
    'a-t.csv': `dev,rep,run,time\r\n${'gpu,0,1,0.25\r\n'.repeat(100_000)}cpu,0,1,0.5\r\n`,
  });
  const seen = shown(`import tracemalloc
from analysis_util import *
tracemalloc.start()
show('summary', trials_stat_summary(${JSON.stringify(folder)}, 'a', 't', 1, ['dev'], {'dev': 'cpu'})[0])
show('mebibytes', tracemalloc.get_traced_memory()[1] / 2**20)`);
  assert.deepEqual(seen['summary'], { mean: 0.5, median: 0.5, std: 0 });
  assert.ok((seen['mebibytes'] as number) < 2, `${seen['mebibytes']} MiB`);
});

test('data, configs and statuses that are broken end nothing', { skip }, () => {
  const home = folderWith({
    'data/deep.json': '['.repeat(100_000),
    'data/good.json': { timestamp: '01-05-2026-0300' },
    'config/experiments/list/config.json': '[]',
    'config/experiments/torn/config.json': '{',
    'results/experiments/status/list/precheck.json': { success: true },
    'results/experiments/status/torn/precheck.json': { success: true },
  });
  symlinkSync('/nowhere', join(home, 'data/link.json'));
  const seen = shown(`from common import *; from dashboard_info import *; from check_prerequisites import *
from config_util import check_config; from summary_util import *
home = ${JSON.stringify(home)}
info = DashboardInfo(home)
show('sorted', sort_data(home + '/data'))
show('deep', validate_json(home + '/data', filename='deep.json')['message'])
show('active', [info.exp_active('list'), info.exp_active('torn'), info.exp_stage_statuses('list')])
show('needed', [check_prerequisites(info, {name: {}}) for name in ('list', 'torn')])
show('config', check_config([1]))
show('summary', summary_by_dev({'cpu': {'a': None, 'b': float('nan'), 'c': 1}}, ['cpu']))
show('device', raised(summary_by_dev, {}, ['gpu']))
show('telemetry', process_cpu_telemetry({'timestamp': 't', 'g': {'l': [['0', '1'], ['x', '2'], ['1'], [2, None]]}, 'h': 5}))
show('gpu', process_gpu_telemetry({'timestamp': 't', 'g': {'data': []}}))
show('unwritable', raised(write_status, '/proc/nowhere', True, 'x'))`);
  assert.deepEqual(seen['sorted'], [{ timestamp: '01-05-2026-0300' }]);
  assert.match(seen.stderr, /Left out .*deep\.json: .*\nLeft out .*link\.json: it is not a file\n/);
  assert.equal(seen['deep'], `Failed to parse deep.json in ${home}/data`);
  assert.deepEqual(seen['active'], [false, false, { precheck: { success: true } }]);
  const invalid = ['list', 'torn'].map((name) => [false, `Config invalid for ${name}`]);
  assert.deepEqual(seen['needed'], invalid);
  assert.deepEqual(seen['config'], [null, 'The config must be an object with fields, not list']);
  assert.equal(seen['summary'], '_Times on CPU_\na: -\nb: -\nc: 1000.000\n');
  assert.equal(seen['device'], "KeyError: 'the newest data has nothing of the device gpu'");
  assert.deepEqual(seen['telemetry'], ['t', ['g', 'g_l', '', [[0, '1']]]]);
  assert.deepEqual(seen['gpu'], ['t', ['GPU', 'g', null, []]]);
  assert.match(String(seen['unwritable']), /^(FileNotFound|Permission)Error: .*\/proc\/nowhere/);
});

test('what cannot be drawn is refused with the words of the kit, and long names are cut', { skip }, () => {
  const folder = folderWith();
  const seen = shown(
    `import datetime
from plot_util import *
def made(kind, raw): return raised(lambda: PlotBuilder().make(kind, {'meta': ['a', 'b'], 'raw': raw}))
show('bars', [made(PlotType.BAR, raw) for raw in ([1], 'abc', {'a': 10**400}, {'a': 'x'}, None)])
show('line', made(PlotType.LONGITUDINAL, {'x': [1, datetime.datetime(2020, 1, 1)], 'y': [1, 2]}))
generate_longitudinal_comparisons([{'timestamp': '01-05-2026-0300', 'ü' * 300: {'b/c': 1, 'b_c': 2}}], ${JSON.stringify(folder)})`,
    { env: chartRecorder().env },
  );
  const [wrong, nothing] = ['RuntimeError: non-numeric value given', 'RuntimeError: no data to plot'];
  assert.deepEqual(seen['bars'], [wrong, wrong, nothing, wrong, nothing]);
  assert.equal(seen['line'], wrong);
  const names = readdirSync(join(folder, 'longitudinal'));
  assert.deepEqual([names.length, names.every((name) => Buffer.byteLength(name) < 230)], [2, true]);
});
