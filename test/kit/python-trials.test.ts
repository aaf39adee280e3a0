import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lacks, noPython } from '../support/python-job.ts';
import { folderWith, removeFolders, runPython, shown } from '../support/python-kit.ts';

const skip = noPython;
after(removeFolders);

/** No rest between repetitions, and a clock that takes a quarter of a second for each look at it. */
const QUICK = `import itertools, time
rests = []
time.sleep = rests.append
ticks = itertools.count()
time.perf_counter = lambda: next(ticks) / 4
from trial_util import *`;

test('trials are timed into CSV as they always were', { skip }, () => {
  const out = folderWith();
  const seen = shown(`${QUICK}
import contextlib, io
calls = []
def setup(*args): calls.append(('setup',) + args); return list(args)
def trial(*args): calls.append('trial')
def teardown(*args): calls.append('teardown')
said = io.StringIO()
with contextlib.redirect_stdout(said):
    show('result', run_trials('py', 'task', 1, 2, 2, trial, setup, teardown, ['name', 'size'], [['r,n', 'q"'], [1, 2]], ${JSON.stringify(out)} + '/new/dir'))
    run_trials('py', 'task', 0, 1, 1, trial, setup, teardown, ['name', 'size'], [['x'], [False]], ${JSON.stringify(out)} + '/new/dir', True)
    show('none', run_trials('py', 'none', 0, 0, 1, trial, setup, teardown, ['a'], [[1]], ${JSON.stringify(out)}))
show('said', said.getvalue())
show('rests', rests)
show('calls', calls[:10])`);
  const rows = ['"r,n",1', '"r,n",2', '"q""",1', '"q""",2'].flatMap((parameters) =>
    ['0,1', '0,2', '1,1', '1,2'].map((run) => `${parameters},${run},0.25`),
  );
  const expected = ['name,size,rep,run,time', ...rows, 'x,False,0,0,0.25', ''];
  assert.equal(readFileSync(join(out, 'new/dir/py-task.csv'), 'utf8'), expected.join('\r\n'));
  assert.equal(readFileSync(join(out, 'py-none.csv'), 'utf8'), 'a,rep,run,time\r\n');
  assert.deepEqual(
    [seen['result'], seen['none']],
    [
      [true, 'success'],
      [true, 'success'],
    ],
  );
  assert.equal(
    String(seen['said']).split('\n').slice(0, 2).join('\n'),
    "py task ('r,n', 1) ['0.250000', '0.250000']\npy task ('r,n', 2) ['0.250000', '0.250000']",
  );
  assert.deepEqual(seen['rests'], [4, 4, 4, 4]);
  const one = [['setup', 'r,n', 1], 'trial', 'trial', 'trial', 'teardown'];
  assert.deepEqual(seen['calls'], [...one, ...one]);
});

test('a trial that fails stops all, and the rows so far stay', { skip }, () => {
  const out = folderWith();
  const seen = shown(
    `${QUICK}
def trial(n):
    if n == 2: raise ValueError('two is too many')
def bad(*args): raise OSError('gone')
same = lambda *args: list(args)
show('trial', run_trials('m', 't', 0, 1, 1, trial, same, same, ['n'], [[1, 2, 3]]))
show('setup', run_trials('m', 'u', 0, 1, 1, trial, bad, same, ['n'], [[1]])[1])
show('teardown', run_trials('m', 'v', 0, 1, 1, trial, same, bad, ['n'], [[1]])[1])
show('elsewhere', run_trials('m', 'w', 0, 1, 1, trial, same, same, ['n'], [7]))`,
    { cwd: out },
  );
  const [success, message] = seen['trial'] as [boolean, string];
  assert.equal(success, false);
  assert.match(
    message,
    /^Encountered exception in trial on inputs \(2,\):\nTraceback [\s\S]*ValueError: two is too many$/,
  );
  assert.equal(readFileSync(join(out, 'm-t.csv'), 'utf8'), 'n,rep,run,time\r\n1,0,0,0.25\r\n');
  for (const stage of ['setup', 'teardown'])
    assert.match(
      String(seen[stage]),
      /^Encountered exception in trial on inputs \(1,\):\n[\s\S]*OSError: gone$/,
    );
  assert.match(String(seen['elsewhere']), /^false,Encountered exception:\nTraceback [\s\S]*TypeError/);
});

test('seeds reach what is loaded, and nothing is loaded for them', { skip }, () => {
  const seen = shown(`import random, sys, types
from trial_util import set_seed, configure_seed
configure_seed({'set_seed': True, 'seed': 7}); show('first', random.random())
configure_seed({'set_seed': False, 'seed': 9}); configure_seed({}); show('second', random.random())
random.seed(7); show('expected', [random.random(), random.random()])
show('loaded', [name for name in ('numpy', 'torch', 'mxnet', 'tensorflow') if name in sys.modules])
seeds = []
for name in ('numpy', 'mxnet'):
    sys.modules[name] = types.SimpleNamespace(random=types.SimpleNamespace(seed=seeds.append))
sys.modules['torch'] = types.SimpleNamespace(manual_seed=seeds.append)
sys.modules['tensorflow'] = types.SimpleNamespace(random=types.SimpleNamespace(set_seed=seeds.append))
set_seed(1)
sys.modules['tensorflow'] = types.SimpleNamespace(set_random_seed=seeds.append)
set_seed(2)
show('seeds', seeds)`);
  assert.deepEqual([seen['first'], seen['second']], seen['expected']);
  assert.deepEqual([seen['loaded'], seen['seeds']], [[], [1, 1, 1, 1, 2, 2, 2, 2]]);
});

const CSV =
  'net,dev,rep,run,time\r\nrnn,cpu,0,1,0.010\r\nrnn,cpu,0,2,0.020\r\nrnn,cpu,1,1,0.060\r\nrnn,cpu,2,1,9\r\n' +
  'lstm,False,0,0,0.5\r\nnet,dev,rep,run,time\r\nrnn,cpu\r\n\r\n';

test('rows are matched as text, by the place of their columns, with or without a header', { skip }, () => {
  const dir = folderWith({
    'mx-t.csv': CSV,
    'tf-t.csv': 'rnn,cpu,0,0,0.25\n',
    'nan-t.csv': 'rnn,cpu,0,0,nan\n',
  });
  const seen = shown(`from analysis_util import *
d = ${JSON.stringify(dir)}
names = ['net', 'dev']
rows = obtain_data_rows(d, 'mx', 't', names, {'net': 'rnn', 'dev': 'cpu'})
show('rows', rows[0])
show('counts', [len(rows), len(obtain_data_rows(d, 'mx', 't', names, {'dev': False})), len(obtain_data_rows(d, 'mx', 't', names, {})),
     len(obtain_data_rows(d, 'tf', 't', names, {'net': 'rnn'})), len(obtain_data_rows(d, 'mx', 't', names, ['rnn', 'cpu']))])
show('file', [lookup_data_file(d, 'mx-t.csv'), raised(lookup_data_file, d, 'no.csv')])
show('reps', summarize_over_reps(rows, 2))
show('trait', compute_summary_stats(rows, 'rep', ['2']))
show('key', compute_summary_stats(rows, 'rep', [0, 1], average_key='run', is_numeric=True))
def ask(*query): return list(trials_stat_summary(d, *query))
show('good', ask('tf', 't', 1, names, {'net': 'rnn'}))
show('bad', [ask('mx', 't', 3, names, {'net': 'gru'}), ask('nan', 't', 1, names, {}), ask('no', 't', 1, names, {})])
report = {'cpu': 1}
add_detailed_summary(report, {'mean': 1}, 'cpu', 'Aot', 'rnn'); add_detailed_summary(report, {'mean': 2}, 'cpu', 'Aot', 'gru')
show('detailed', report)`);
  assert.deepEqual(seen['rows'], { net: 'rnn', dev: 'cpu', rep: '0', run: '1', time: '0.010' });
  assert.deepEqual(seen['counts'], [4, 1, 5, 1, 4]);
  assert.match(seen.stderr, /Left out line 8 of .*mx-t.csv: 2 of 5 columns/);
  assert.deepEqual(seen['file'], [join(dir, 'mx-t.csv'), 'Exception: Could not find "no.csv"']);
  assert.deepEqual(seen['reps'], { mean: 0.03, median: 0.02, std: 0.021602468994692866 });
  assert.deepEqual(seen['trait'], { mean: 9, median: 9, std: 0 });
  assert.deepEqual(seen['key'], { mean: 4 / 3, median: 1, std: 0.4714045207910317 });
  assert.deepEqual(seen['good'], [{ mean: 0.25, median: 0.25, std: 0 }, true, 'success']);
  for (const [index, start] of [
    "mx, t using params {'net': 'gru'}",
    'nan, t using params {}',
    'no, t using params {}',
  ].entries()) {
    const [summary, success, message] = (seen['bad'] as [number, boolean, string][])[index] ?? [];
    assert.deepEqual([summary, success], [-1, false]);
    assert.ok(message?.startsWith(`Encountered exception on ${start}:\nTraceback`), message);
  }
  assert.deepEqual(seen['detailed'], {
    cpu: 1,
    detailed: { cpu: { Aot: { rnn: { mean: 1 }, gru: { mean: 2 } } } },
  });
});

test('statistics are those of numpy to the last bit', { skip: lacks('numpy') }, () => {
  const program = (numpy: string) => `import random
${numpy}
random.seed(3)
for count in list(range(1, 20)) + [100, 127, 128, 129, 137, 255, 256, 257, 1000, 5003]:
    values = [random.lognormvariate(0, 2) for _ in range(count)]
    print(count, float(stats.mean(values)).hex(), float(stats.median(values)).hex(), float(stats.std(values)).hex())`;
  const ours = runPython(program('import nightmark_numbers as stats'));
  const theirs = runPython(program('import numpy as stats'), { isBare: false, env: { PYTHONPATH: '' } });
  assert.deepEqual([ours.stderr, theirs.stderr], ['', '']);
  assert.equal(ours.stdout.split('\n').length, 30);
  assert.equal(ours.stdout, theirs.stdout);
});

test('numbers of numpy go through the kit as numbers', { skip: lacks('numpy') }, () => {
  const dir = folderWith();
  const seen = shown(
    `import numpy as np
from common import read_json, write_json
from plot_util import *
from trial_util import set_seed
write_json(${JSON.stringify(dir)}, 'n.json', {'a': np.float64(1.5), 'b': np.float32(0.5), 'c': np.int64(3), 'd': np.bool_(True),
     'e': np.array([1.0, np.nan]), 'f': np.float64('nan'), 'g': np.float32('inf')})
show('read', read_json(${JSON.stringify(dir)}, 'n.json'))
show('bars', PlotBuilder().make(PlotType.BAR, {'meta': ['x', 'y'], 'raw': {'a': np.float32(0.5), 'b': np.int64(2), 'c': np.nan}}).spec()['bars'])
set_seed(5); first = np.random.rand(); set_seed(5); show('seeded', bool(first == np.random.rand()))`,
    { isBare: false },
  );
  assert.deepEqual(seen['read'], { a: 1.5, b: 0.5, c: 3, d: true, e: [1, null], f: null, g: null });
  assert.deepEqual(seen['bars'], [
    { label: 'a', value: 500 },
    { label: 'b', value: 2000 },
  ]);
  assert.equal(seen['seeded'], true);
});

test('the stand-in for numpy has what alerts need', { skip }, () => {
  const seen = shown(
    `import sys
sys.path.append(${JSON.stringify(join(process.cwd(), 'kit/python/standin/numpy'))})
import numpy as np, numpy.random, random
show('stats', [np.mean([0.5, 0.6, 0.55]), '%.2e' % np.std([0.5, 0.6, 0.55]), np.median([3, 1, 2, 10])])
show('nan', [np.isnan(np.nan), np.isnan(1), np.isnan([1, np.nan]), np.isnan(np.mean([]))])
np.random.seed(4); a = random.random(); random.seed(4); show('seed', a == random.random())
# What lies at one deviation exactly does not alert.
values = [1.0, 1.1]
show('tie', abs(1.0 - np.mean(values)) > np.std(values))`,
  );
  assert.deepEqual(seen['stats'], [0.55, '4.08e-02', 2.5]);
  assert.deepEqual(
    [seen['nan'], seen['seed'], seen['tie']],
    [[true, false, [false, true], true], true, false],
  );
});

test('summaries name devices, listings and networks in one order', { skip }, () => {
  const entry = {
    timestamp: '01-05-2026-0300',
    cpu: { Pytorch: { gru: 0.03, lstm: 0.02, other: 1, rnn: 0.01 }, Aot: { rnn: 0.002 } },
    gpu: { Pytorch: 0.0075, Aot: 0.002 },
  };
  const dir = folderWith({ 'data/data.json': entry });
  const seen = shown(`from summary_util import *
from config_util import check_config
entry = ${JSON.stringify(entry)}
networks = check_config({'n': ['lstm', 'rnn', 'gru']})[0]['n']
show('plain', [summary_by_dev(entry, ['gpu']), summary_by_dev(entry, [])])
show('networks', summary_by_dev_and_network(entry, ['cpu'], networks))
d = ${JSON.stringify(dir)}
write_generic_summary(d + '/data', d + '/a', 'T', ['gpu'])
write_generic_summary(d + '/data', d + '/b', 'T', ['cpu'], networks, True)
write_generic_summary(d + '/none', d + '/c', 'T', ['cpu'])
write_generic_summary(d + '/data', d + '/d', 'T', ['tpu'])`);
  assert.deepEqual(seen['plain'], ['_Times on GPU_\nPytorch: 7.500\nAot: 2.000\n', '']);
  const networks =
    'Format: (lstm, rnn, gru)\n_Times on CPU_\nPytorch: 20.000, 10.000, 30.000\nAot: -, 2.000, -\n';
  assert.equal(seen['networks'], networks);
  const read = (path: string) => JSON.parse(readFileSync(join(dir, path), 'utf8')) as Record<string, unknown>;
  assert.deepEqual(read('a/summary.json'), {
    title: 'T',
    value: '_Times on GPU_\nPytorch: 7.500\nAot: 2.000\n',
  });
  assert.deepEqual(read('b/summary.json'), { title: 'T', value: networks });
  assert.deepEqual(read('b/status.json'), { success: true, message: 'success' });
  for (const failed of ['c', 'd']) {
    assert.match(
      JSON.stringify(read(`${failed}/status.json`)),
      /^\{"success":false,"message":"Exception encountered:\\nTraceback/,
    );
    assert.throws(() => read(`${failed}/summary.json`), { code: 'ENOENT' });
  }
});
