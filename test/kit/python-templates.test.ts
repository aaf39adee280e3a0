import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { noPython } from '../support/python-job.ts';
import { chartRecorder, folderWith, removeFolders, runPython, shown } from '../support/python-kit.ts';

const skip = noPython;
after(removeFolders);

const VALIDATE = `import time
time.sleep = lambda seconds: None
from common import read_config
from config_util import check_config
from exp_templates import *
def validate_config(config_dir): return check_config(read_config(config_dir), {'dry_run': 1, 'n_times_per_input': 2, 'n_inputs': 2})
`;
const CONFIG = {
  title: 'Networks',
  active: true,
  devices: ['cpu', 'gpu'],
  networks: ['vgg-16', 'own-net'],
  frameworks: ['relay', 'mxnet'],
};

function stage(program: string, folders: Record<string, string>, env: Record<string, string> = {}) {
  const args = Object.entries(folders).flatMap(([name, folder]) => [`--${name}-dir`, folder]);
  return runPython(`${VALIDATE}${program}`, { args, env });
}

const read = (folder: string, file: string) =>
  JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>;

test('the four stages of an experiment, one call each', { skip }, () => {
  const config = folderWith({ 'config.json': CONFIG });
  const [raw, analysis, graph, summary] = [folderWith(), folderWith(), folderWith(), folderWith()];
  for (const framework of CONFIG.frameworks) {
    const params = `common_trial_params('${framework}', 'nets', lambda *a: None, lambda *a: list(a), lambda *a: None, ['device', 'network'], ['devices', 'networks'])`;
    const run = stage(
      `run_template(validate_config, common_early_exit({'frameworks': '${framework}'}), ${params})`,
      {
        ...{ config, output: raw },
      },
    );
    assert.deepEqual([run.status, run.stderr], [0, '']);
  }
  assert.deepEqual(read(raw, 'status.json'), { success: true, message: 'success' });
  const csv = readFileSync(join(raw, 'relay-nets.csv'), 'utf8').split('\r\n');
  assert.deepEqual([csv[0], csv.length], ['device,network,rep,run,time', 1 + 2 * 2 * 2 * 2 + 1]);

  const analyze = stage(
    `analysis_template(validate_config, lambda config: {'Relay': {'fw': 'relay'}, 'MxNet': {'fw': 'mxnet'}},
    lambda config, dev, network, s: [s['fw'], 'nets', config['n_inputs'], ['device', 'network'], {'device': dev, 'network': network}])`,
    { data: raw, config, output: analysis },
  );
  assert.deepEqual([analyze.status, analyze.stderr], [0, '']);
  const data = read(analysis, 'data.json') as Record<string, Record<string, Record<string, number>>>;
  assert.deepEqual(Object.keys(data).sort(), ['cpu', 'detailed', 'gpu']);
  assert.deepEqual(Object.keys(data['gpu']?.['MxNet'] ?? {}), CONFIG.networks);
  const detailed = data['detailed'] as unknown as Record<string, Record<string, Record<string, object>>>;
  assert.deepEqual(Object.keys(detailed['gpu']?.['Relay']?.['vgg-16'] ?? {}), ['mean', 'median', 'std']);

  const times = {
    Relay: { 'vgg-16': 0.001, 'own-net': 0.002 },
    MxNet: { 'vgg-16': 0.003, 'own-net': 0.004 },
  };
  const nights = ['12-01-2025-0300', '12-23-2025-0300', '01-05-2026-0300'];
  const history = folderWith(
    Object.fromEntries(nights.map((timestamp) => [`data_${timestamp}.json`, { timestamp, cpu: times }])),
  );
  const { env, calls } = chartRecorder();
  const visualize = stage(
    `visualize_template(validate_config, common_individual_comparison('Framework', 'Nets', 'nets'))`,
    { data: history, config, output: graph },
    env,
  );
  assert.deepEqual([visualize.status, visualize.stderr], [0, '']);
  assert.deepEqual(read(graph, 'status.json'), { success: true, message: 'success' });
  assert.deepEqual(readdirSync(graph).sort(), ['all_time', 'comparison', 'status.json', 'two_weeks']);
  const [batch, ...more] = calls();
  assert.deepEqual([batch?.how, batch?.charts.length, more], ['batch', 9, []]);
  const named = (end: string) => batch?.charts.find(({ output }) => output.endsWith(end))?.spec;
  const points = (end: string) => (named(end)?.['series'] as { x: string[] }[] | undefined)?.[0]?.x.length;
  assert.deepEqual(
    [
      points('all_time/longitudinal-cpu-Relay-vgg-16.png'),
      points('two_weeks/longitudinal-cpu-Relay-vgg-16.png'),
    ],
    [3, 2],
  );
  assert.deepEqual(named('comparison/nets-cpu.png'), {
    chart: 'grouped-bar',
    groups: ['VGG-16', 'own-net'],
    series: [
      { label: 'MxNet', values: [3, 4] },
      { label: 'Relay', values: [1, 2] },
    ],
    ...{
      title: 'Nets on CPU',
      xTitle: 'Network',
      legendTitle: 'Framework',
      yTitle: 'Mean Inference Time (ms)',
    },
    ...{ yScale: 'log', significantFigures: 3, width: 1426, height: 432 },
  });

  const only = folderWith({ 'config.json': { ...CONFIG, devices: ['cpu'] } });
  const told = stage('summarize_template(validate_config)', { data: history, config: only, output: summary });
  assert.deepEqual([told.status, told.stderr], [0, '']);
  assert.deepEqual(read(summary, 'summary.json'), {
    title: 'Networks',
    value: 'Format: (vgg-16, own-net)\n_Times on CPU_\nRelay: 1.000, 2.000\nMxNet: 3.000, 4.000\n',
  });
});

test('without networks there is one number a listing', { skip }, () => {
  const config = folderWith({ 'exp/config.json': { devices: ['cpu'] } });
  const raw = folderWith({
    'pt-rnn.csv': 'device,rep,run,time\r\ncpu,0,1,0.5\r\ncpu,1,1,0.25\r\ncpu,2,1,99\r\n',
  });
  const output = folderWith();
  const folders = { config: join(config, 'exp'), output };
  const program = `analysis_template(validate_config, lambda config: {'Pytorch': 'pt'},
    lambda config, dev, fw: [fw, 'rnn', 2, ['device'], {'device': dev}], use_networks=False)`;
  assert.equal(stage(program, { data: raw, ...folders }).status, 0);
  const numbers = { mean: 0.375, median: 0.375, std: 0.125 };
  assert.deepEqual(read(output, 'data.json'), {
    cpu: { Pytorch: 0.375 },
    detailed: { cpu: { Pytorch: numbers } },
  });

  const { env, calls } = chartRecorder();
  const data = folderWith({ 'data.json': { timestamp: '01-05-2026-0300', cpu: { b: 0.5, a: 0.25 } } });
  const comparison = `common_individual_comparison('Framework', 'RNN', 'rnn', PlotScale.LINEAR, use_networks=False)`;
  const drawn = stage(
    `from plot_util import PlotScale\nvisualize_template(validate_config, ${comparison})`,
    { data, ...folders },
    env,
  );
  assert.deepEqual([drawn.status, drawn.stderr], [0, '']);
  const bar = calls()[0]?.charts.find(({ output }) => output.endsWith('/comparison/rnn-cpu.png'))?.spec;
  assert.deepEqual(
    [bar?.['bars'], bar?.['xTitle'], bar?.['yScale']],
    [
      [
        { label: 'a', value: 250 },
        { label: 'b', value: 500 },
      ],
      'Framework',
      'linear',
    ],
  );
  const told = stage('summarize_template(validate_config, False)', { data, ...folders });
  assert.equal(told.status, 0);
  const value = '_Times on CPU_\nb: 500.000\na: 250.000\n';
  assert.deepEqual(read(output, 'summary.json'), { title: 'exp', value });
});

/** How stages end: exit code, success, first and last line of the message. All in one process: it is they that matter. */
const ENDS = `import json, sys
def ends(name, program, has_data=True):
    output = '%s/%s' % (folder, name)
    sys.argv = ['stage', '--config-dir', config, '--output-dir', output] + (['--data-dir', data] if has_data else [])
    try: program()
    except SystemExit as end: code = end.code or 0
    status = json.load(open(output + '/status.json'))
    lines = status['message'].split('\\n')
    show(name, [code, status['success'], lines[0], lines[-1]])
def crash(*args): raise KeyError('oops')
def refuse(folder): return None, 'no good'
same = lambda *args: list(args)
`;

test('whatever goes wrong in a stage becomes its status', { skip }, () => {
  const config = folderWith({ 'config.json': CONFIG });
  const data = folderWith();
  const seen = shown(
    `${VALIDATE}config, data, folder = ${JSON.stringify([config, data, folderWith()])}
${ENDS}
ends('run refused', lambda: run_template(refuse), False)
ends('run nothing', lambda: run_template(validate_config), False)
ends('run early', lambda: run_template(validate_config, common_early_exit({'frameworks': 'tf'}), crash), False)
ends('run crash', lambda: run_template(validate_config, None, crash), False)
trial = common_trial_params('a', 'b', crash, same, same, ['n'], ['title'])
ends('run trial', lambda: run_template(validate_config, None, trial), False)
ends('analysis refused', lambda: analysis_template(refuse, crash, crash))
ends('analysis crash', lambda: analysis_template(validate_config, crash, crash))
ends('analysis query', lambda: analysis_template(validate_config, lambda c: {'L': 1}, lambda *a: ['fw', 'task', 1, ['n'], {'n': 3}]))
ends('visualize no data', lambda: visualize_template(validate_config, crash))
ends('summarize crash', lambda: summarize_template(crash))
from common import write_json
write_json(data, 'd.json', {'timestamp': '01-05-2026-0300', 'cpu': {'a': 1}})
ends('visualize gone', lambda: visualize_template(validate_config, lambda *a: None))
ends('summarize', lambda: summarize_template(validate_config))`,
    { env: { NIGHTMARK: '/nowhere/nightmark' } },
  );
  const trace = 'Traceback (most recent call last):';
  const oops = "KeyError: 'oops'";
  const told = 'Exception encountered:';
  const once = (message: string) => [message, message];
  assert.deepEqual(seen['run refused'], [1, false, ...once('no good')]);
  assert.deepEqual(seen['run nothing'], [0, true, ...once('No trial to run')]);
  assert.deepEqual(seen['run early'], [0, true, ...once('tf not in config frameworks')]);
  assert.deepEqual(seen['run crash'], [1, false, trace, oops]);
  const inputs = "Encountered exception in trial on inputs ('Networks',):";
  assert.deepEqual(seen['run trial'], [1, false, inputs, oops]);
  assert.deepEqual(seen['analysis refused'], [1, false, ...once('no good')]);
  assert.deepEqual(seen['analysis crash'], [1, false, trace, oops]);
  const query = "Encountered exception on fw, task using params {'n': 3}:";
  assert.deepEqual(seen['analysis query'], [1, false, query, 'Exception: Could not find "fw-task.csv"']);
  assert.deepEqual(seen['visualize no data'], [1, false, told, `ValueError: there is no data in ${data}`]);
  const [code, success, first, last] = seen['visualize gone'] as unknown[];
  assert.deepEqual([code, success, first], [1, false, told]);
  assert.match(
    String(last),
    /^RuntimeError: Graphs are drawn by the command \/nowhere\/nightmark, which cannot be/,
  );
  assert.deepEqual(seen['summarize crash'], [0, false, told, oops]);
  assert.deepEqual(seen['summarize'], [
    0,
    false,
    told,
    "AttributeError: 'int' object has no attribute 'get'",
  ]);
});

test('parts of templates', { skip }, () => {
  const seen = shown(`from exp_templates import *
params = common_trial_params('fw', 'exp', 1, 2, 3, ['a', 'b', 'c'], ['x', 'y', 'z'])
show('params', params({'dry_run': 8, 'n_times_per_input': 9, 'n_inputs': 10, 'x': 'text', 'y': 5, 'z': [1, 2]}))
early = common_early_exit({'devices': 'cpu', 'frameworks': 'tf'})
show('early', [early({'devices': {'cpu'}, 'frameworks': ['tf']}), early({'devices': {'cpu'}, 'frameworks': []}), early({'devices': [], 'frameworks': []})])
calls = []
generate_graphs_by_dev(lambda *args: calls.append(args))({'devices': ['cpu', 'gpu']}, {'cpu': 1}, '/out')
show('calls', calls)
show('nothing', common_individual_comparison('x', 't', 'f')({'devices': ['cpu', 'gpu']}, {'cpu': {}, 'gpu': {'L': {}}}, '/nowhere'))`);
  const rest = [['a', 'b', 'c'], [['text'], [5], [1, 2]]]; // biome-ignore format: short
  assert.deepEqual(seen['params'], ['fw', 'exp', 8, 9, 10, 1, 2, 3, ...rest]);
  assert.deepEqual(seen['early'], [
    [false, ''],
    [true, 'tf not in config frameworks'],
    [true, 'cpu not in config devices'],
  ]);
  assert.deepEqual([seen['calls'], seen['nothing']], [[['cpu', 1, '/out/comparison']], null]);
});
