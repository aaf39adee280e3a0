import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { noPython, PYTHON } from '../support/python-job.ts';
import { folderWith, KIT_DIR, removeFolders, runPython, shown } from '../support/python-kit.ts';

const skip = noPython;
after(removeFolders);

const MODULES =
  'common dashboard_info config_util check_prerequisites trial_util analysis_util exp_templates plot_util summary_util slack_util telemetry_util'.split(
    ' ',
  );

test('the whole kit is Python 3.8', { skip }, () => {
  const files = readdirSync(join(KIT_DIR, 'python'), { recursive: true, encoding: 'utf8' });
  const modules = files.filter((file) => file.endsWith('.py'));
  assert.ok(modules.length > 20);
  const check = 'import ast, sys\nfor f in sys.argv[1:]: ast.parse(open(f).read(), feature_version=(3, 8))';
  execFileSync(PYTHON, ['-c', check, ...modules.map((file) => join(KIT_DIR, 'python', file))]);
});

test('importing the kit imports no package that is not of Python or of the kit', { skip }, () => {
  const { packages } = shown(
    `import sys
before = set(sys.modules)
import ${MODULES.join(', ')}
own = ${JSON.stringify(join(KIT_DIR, 'python'))}
library = __import__('os').__file__.rsplit('/', 1)[0]
show('packages', sorted(name for name in set(sys.modules) - before
     for file in [getattr(sys.modules[name], '__file__', None)]
     if file and not file.startswith(own) and (not file.startswith(library) or '-packages' in file)))`,
    { isBare: false },
  );
  assert.deepEqual(packages, []);
});

test('invoke_main reads options by name and exits with the result', { skip }, () => {
  const program = (result: string) =>
    `from common import invoke_main\ndef main(first_arg, b):\n    print(first_arg, b)\n    return ${result}\ninvoke_main(main, 'first_arg', 'b')`;
  const run = (result: string, ...args: string[]) => {
    const { status, stdout, stderr } = runPython(program(result), { args });
    return [status, stdout, stderr.includes('usage:')];
  };
  assert.deepEqual(run('None', '--b', '2', '--first-arg', 'x y'), [0, 'x y 2\n', false]);
  assert.deepEqual(run('3', '--b=2', '--first-arg=-'), [3, '- 2\n', false]);
  assert.deepEqual(run('None', '--b', '2'), [2, '', true]);
});

test('JSON files are on one line, valid and whole', { skip }, () => {
  const home = folderWith();
  const seen = shown(
    `import os, math
from common import *
os.environ['HOME'] = ${JSON.stringify(home)}
write_status('~/a/b', False, 'caf\\u00e9\\t"\\\\\\n')
write_summary('~/a/b', 'T', 1.5)
write_json('~/a/b', 'odd.json', {'z': float('nan'), 'a': [math.inf, (1, -math.inf)], 's': {3}, 'n': None})
show('read', read_json('~/a/b', 'odd.json'))
show('unwritable', raised(write_json, '~/a/b', 'bad.json', {'x': object()}))
show('files', sorted(os.listdir(os.path.expanduser('~/a/b'))))
show('missing', raised(read_json, '~', 'none.json'))
show('out', prepare_out_file('~' and ${JSON.stringify(home)}, 'deep/er/x.png'))
idemp_mkdir(${JSON.stringify(home)} + '/i/j'); idemp_mkdir(${JSON.stringify(home)} + '/i/j')
show('exists', [check_file_exists('~/a/b', 'odd.json'), check_file_exists('~/a', 'b'), check_file_exists('~', 'no')])`,
  );
  assert.equal(
    readFileSync(join(home, 'a/b/status.json'), 'utf8'),
    '{"success": false, "message": "caf\\u00e9\\t\\"\\\\\\n"}',
  );
  assert.equal(readFileSync(join(home, 'a/b/summary.json'), 'utf8'), '{"title": "T", "value": 1.5}');
  assert.deepEqual(seen['read'], { z: null, a: [null, [1, null]], s: [3], n: null });
  assert.equal(seen['unwritable'], 'TypeError: Object of type object is not JSON serializable');
  assert.deepEqual(seen['files'], ['odd.json', 'status.json', 'summary.json']);
  assert.match(String(seen['missing']), /^FileNotFoundError/);
  assert.equal(seen['out'], join(home, 'deep/er/x.png'));
  assert.ok(existsSync(join(home, 'deep/er')) && existsSync(join(home, 'i/j')));
  assert.deepEqual(seen['exists'], [true, false, false]);
});

test('sort_data goes by timestamp and leaves out what is no data, with a warning', { skip }, () => {
  const folder = folderWith({
    'data_01-05-2026-0300.json': { timestamp: '01-05-2026-0300', n: 1 },
    'data_01-05-2026-0300-2.json': { timestamp: '01-05-2026-0300', n: 2 },
    'data_12-31-2025-0300.json': { timestamp: '12-31-2025-0300', n: 0 },
    'broken.json': '{"timestamp": ',
    'no-time.json': { n: 9 },
    'odd-time.json': { timestamp: '2026-01-05' },
    'list.json': [],
    'binary.json': '\u0000\u0001',
    'notes.txt': 'hello',
    'sub/data.json': { timestamp: '01-06-2026-0300' },
  });
  const seen = shown(
    `from common import sort_data
show('order', [entry['n'] for entry in sort_data(${JSON.stringify(folder)})])
show('missing', sort_data(${JSON.stringify(join(folder, 'missing'))}))`,
  );
  assert.deepEqual([seen['order'], seen['missing']], [[0, 1, 2], []]);
  const left = [...seen.stderr.matchAll(/^Left out .*\/(\S+): /gm)].map(([, name]) => name).sort();
  assert.deepEqual(left, ['binary.json', 'broken.json', 'list.json', 'no-time.json', 'notes.txt', 'odd-time.json', 'sub']); // biome-ignore format: a list
});

test('fields, statistics and times of entries', { skip }, () => {
  const seen = shown(`from common import *
entry = {'timestamp': '01-05-2026-0300', 'success': True, 'gpu': {'z': {'n1': 1, 'detailed': 2}, 'a': 5}, 'cpu': {'b': {'n2': {}}}}
show('fields', traverse_fields(entry))
show('kept', traverse_fields(entry, ['gpu']))
show('empty', traverse_fields({}))
show('sets', all(isinstance(level, set) for level in traverse_fields(entry)))
data = [{'timestamp': '01-05-2026-0300', 'a': {'b': 1}}, {'timestamp': '01-06-2026-0300', 'a': 3},
        {'timestamp': '01-07-2026-0300', 'a': {'b': {'c': 2}}}, {'timestamp': '01-08-2026-0300'}]
show('gathered', gather_stats(data, ['a', 'b']))
show('days', [time_difference(data[1], data[0]).days, time_difference({'timestamp': '01-05-2026-0259'}, data[0]).days])
show('parsed', parse_timestamp(data[0]).isoformat())
show('malformed', raised(parse_timestamp, {'timestamp': 'x'}))
show('now', get_timestamp())
try: 1 / 0
except Exception as e: show('rendered', render_exception(e))
import contextlib, io
out = io.StringIO()
with contextlib.redirect_stdout(out): print_log('two\\nlines'); print_log('x', '#')
show('log', out.getvalue())`);
  assert.deepEqual(seen['fields'], [['gpu', 'cpu'], ['z', 'a', 'b'], ['n1', 'n2'], []]);
  assert.deepEqual(seen['kept'], [['timestamp', 'success', 'cpu'], ['b'], ['n2'], []]);
  assert.deepEqual([seen['empty'], seen['sets']], [[[]], true]);
  assert.deepEqual(seen['gathered'], [
    [1, { c: 2 }],
    ['2026-01-05 03:00:00', '2026-01-07 03:00:00'],
  ]);
  assert.deepEqual([seen['days'], seen['parsed']], [[1, -1], '2026-01-05T03:00:00']);
  assert.match(String(seen['malformed']), /^ValueError/);
  assert.match(String(seen['now']), /^\d\d-\d\d-\d{4}-\d{4}$/);
  assert.match(String(seen['rendered']), /^Traceback [\s\S]*ZeroDivisionError: division by zero$/);
  assert.equal(seen['log'], '*********\ntwo\nlines\n*********\n#####\nx\n#####\n');
});

test('validate_json gives the file or a status that says what is wrong', { skip }, () => {
  const dir = folderWith({ 'status.json': { success: true }, 'bad.json': '{', 'list.json': '[]' });
  const seen = shown(`from common import validate_json
d = ${JSON.stringify(dir)}
show('all', [validate_json(d, 'success'), validate_json(d, 'success', 'message'), validate_json(d, filename='no.json'),
     validate_json(d, filename='bad.json'), validate_json(d, 'x', filename='list.json'), validate_json(d)])`);
  assert.deepEqual(seen['all'], [
    { success: true },
    { success: false, message: `status.json in ${dir} has no 'message' field` },
    { success: false, message: `No no.json in ${dir}` },
    { success: false, message: `Failed to parse bad.json in ${dir}` },
    { success: false, message: `list.json in ${dir} has no 'x' field` },
    { success: true },
  ]);
});

test('telemetry comes as numbers over time and values as text', { skip }, () => {
  const seen = shown(`from common import *
rows = [['0', '+41.5°C'], ['0.0', '+41.5°C'], ['1.0', 'alarm'], ['2.0', '+42.5°C']]
show('cpu', process_cpu_telemetry({'timestamp': 'ts', 'k10': {'Tctl': rows, 'Core 0': [[0, 40], [1, 41.5]]}}))
show('gpu', process_gpu_telemetry({'timestamp': 'ts', 'clocks.gr': {'data': [['0', '300']], 'unit': 'MHz'},
     'pstate': {'data': [[0, 'P8'], [1, 'n/a'], [2, '[N/A]']], 'unit': None}}))`);
  const label = 'k10';
  assert.deepEqual(seen['cpu'], ['ts',
    [label, 'k10_Tctl', '', [[0, '+41.5°C'], [2, '+42.5°C']]], [label, 'k10_Core 0', '', [[0, '40'], [1, '41.5']]]]); // biome-ignore format: rows
  assert.deepEqual(seen['gpu'], ['ts', ['GPU', 'clocks.gr', 'MHz', [[0, '300']]], ['GPU', 'pstate', null, [[0, 'P8']]]]); // biome-ignore format: rows
});

test('the recorder is started as it always was, and its files become JSON', { skip }, () => {
  const dir = folderWith({
    'run.py': 'import sys; print(sys.argv[1:])',
    'raw/telemetry/exp/cpu/k10': '0 Tctl +41.5°C\n0.0 Core 0 +40.0°C\n1.0 cut\n',
    'raw/telemetry/exp/gpu/clocks.gr': '0 300 MHz\n15.0 301 MHz\n',
    'raw/telemetry/exp/gpu/pstate': '0 P8\n',
  });
  const seen = shown(`from telemetry_util import *
from dashboard_info import DashboardInfo
d = ${JSON.stringify(dir)}
started = start_telemetry(d, 'exp', True, 0, '/out', 2)
show('started', started.communicate()[0].decode())
show('off', start_telemetry(d, 'exp', True, True, '/out', 0))
process_telemetry_statistics(DashboardInfo(d + '/home'), 'exp', d + '/raw', 'ts')
process_telemetry_statistics(DashboardInfo(d + '/home'), 'none', d + '/raw', 'ts')
show('cpu', parse_cpu_stat(d + '/raw/telemetry/exp/cpu', 'ts')['k10']['Tctl'])
show('gpu', parse_gpu_stat(d + '/raw/telemetry/exp/gpu', 'ts')['clocks.gr']['unit'])
show('none', [parse_cpu_stat(d + '/none', 'ts'), parse_gpu_stat(d + '/none', 'ts')])`);
  assert.equal(
    seen['started'],
    "['--exp-name=exp', '--interval=2', '--run-cpu-telemetry=True', '--run-gpu-telemetry=False', '--output-dir=/out']\n",
  );
  assert.equal(seen['off'], null);
  assert.deepEqual(seen['cpu'], [['0', '+41.5°C']]);
  assert.equal(seen['gpu'], 'MHz');
  assert.deepEqual(seen['none'], [{ timestamp: 'ts' }, { timestamp: 'ts' }]);
  const read = (path: string) => readFileSync(join(dir, 'home/results/subsystem/telemetry', path), 'utf8');
  assert.equal(read('exp/cpu/cpu-ts.json'), '{"timestamp": "ts", "k10": {"Tctl": [["0", "+41.5\\u00b0C"]], "Core 0": [["0.0", "+40.0\\u00b0C"]]}}'); // biome-ignore format: a line of a file
  assert.equal(read('exp/gpu/gpu-ts.json'), '{"timestamp": "ts", "clocks.gr": {"data": [["0", "300"], ["15.0", "301"]], "unit": "MHz"}, "pstate": {"data": [["0", "P8"]], "unit": null}}'); // biome-ignore format: a line of a file
  assert.equal(read('none/cpu/cpu-ts.json'), '{"timestamp": "ts"}');
});

test('stages find the command of this package as NIGHTMARK names it', () => {
  const { status, stdout } = spawnSync(join(KIT_DIR, 'bin/nightmark'), ['helpers'], { encoding: 'utf8' });
  assert.deepEqual([status, stdout], [0, `${KIT_DIR}\n`]);
});

test('a kit without its program, as in a container, says what to do', () => {
  const dir = folderWith({});
  cpSync(join(KIT_DIR, 'bin'), join(dir, 'kit/bin'), { recursive: true });
  const run = (path: string) =>
    spawnSync(join(dir, 'kit/bin/nightmark'), ['helpers'], {
      encoding: 'utf8',
      env: { ...process.env, PATH: path },
    });
  const alone = run('/usr/bin:/bin');
  assert.equal(alone.status, 127);
  assert.match(
    alone.stderr,
    /is not beside its kit \(.*kit\/bin\/nightmark\)\. In a container[\s\S]*set NIGHTMARK to nightmark/,
  );
  cpSync(join(KIT_DIR, '../dist/src/cli/nightmark.cjs'), join(dir, 'dist/src/cli/nightmark.cjs'));
  const { status, stderr } = run('/nowhere');
  assert.equal(status, 127);
  assert.match(stderr, /^nightmark needs Node\.js, and there is no command node here\./);
});
