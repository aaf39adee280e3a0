import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { noPython } from '../support/python-job.ts';
import { folderWith, removeFolders, shown } from '../support/python-kit.ts';

const skip = noPython;
after(removeFolders);

test('check_config fills in defaults and says what is wrong', { skip }, () => {
  const seen = shown(`from config_util import *
defaults = {'n': 3, 'only': ['kept']}
def check(config, **more): return list(check_config(config, defaults, {'devices': {'cpu', 'gpu'}, 'net': ['a']},
    {'n': non_negative_cond(), 'title': string_cond(), 'active': bool_cond(), 'pairs': (lambda p: len(p) == 2, 'two')}, **more))
show('good', check({'devices': ['gpu', 'cpu', 'gpu'], 'n': 0, 'title': 't', 'active': True, 'other': {'x': 1}, 'net': 'a'}))
show('untouched', defaults)
show('bad', [check(config)[1] for config in [
    {'devices': []}, {'devices': ['cpu', 'tpu']}, {'net': 'b'}, {'n': -1}, {'n': 1.5}, {'title': 3}, {'active': 1},
    {'pairs': [[1, 2], [1]]}, {'devices': [None]}, {'free': [{}]}]])
show('first', check({'devices': []})[0])
show('null', check({'n': None, 'absent': None}))
show('empty', [check({'notify': []}), check({'notify': []}, permit_empty=set())[1], check({'x': []}, permit_empty={'x'})])
show('pairs', check({'pairs': [[1, [2, 3]], [1, [2, 3]]]})[0]['pairs'])
show('true', check({'n': True})[0]['n'])
show('item', [check_item('net', 'a', {'net': ['a']}, {}), check_item('net', 'c', {'net': ['a']}, {})])`);
  const order = { n: 0, only: ['kept'], devices: ['gpu', 'cpu'], title: 't', active: true };
  assert.deepEqual(seen['good'], [{ ...order, other: { x: 1 }, net: 'a' }, '']);
  assert.deepEqual(seen['untouched'], { n: 3, only: ['kept'] });
  assert.deepEqual(seen['bad'], [
    'Config field devices is not permitted to be empty',
    'Invalid value tpu for field devices',
    'Invalid value b for field net',
    '-1 does not meet precondition "must be non-negative" for field n',
    '1.5 does not meet precondition "must be non-negative" for field n',
    '3 does not meet precondition "must be string" for field title',
    '1 does not meet precondition "must be bool" for field active',
    '(1,) does not meet precondition "two" for field pairs',
    'Invalid value None for field devices',
    'Invalid value {} for field free',
  ]);
  const defaults = { n: 3, only: ['kept'] };
  assert.equal(seen['first'], null);
  assert.deepEqual(seen['null'], [defaults, '']);
  assert.deepEqual(seen['empty'], [
    [{ ...defaults, notify: [] }, ''],
    'Config field notify is not permitted to be empty',
    [{ ...defaults, x: [] }, ''],
  ]);
  assert.deepEqual([seen['pairs'], seen['true']], [[[1, [2, 3]]], true]);
  assert.deepEqual(seen['item'], [
    ['a', ''],
    [null, 'Invalid value c for field net'],
  ]);
});

test('sets of a config keep its order and are sets otherwise', { skip }, () => {
  const seen = shown(`import copy, pickle
from config_util import check_config
names = ['zeta', 'alpha', 'mid', 'beta', 'zeta']
kept = check_config({'names': names})[0]['names']
show('order', [list(kept), list(kept.copy()), list(copy.deepcopy(kept)), list(pickle.loads(pickle.dumps(kept))), list(copy.copy(kept))])
show('printed', [str(kept), str(kept - kept), ', '.join(kept)])
show('set', [isinstance(kept, set), kept == set(names), set(names) == kept, 'mid' in kept, len(kept), kept <= set(names)])
show('ops', [list(kept | {'new'}), list(kept & {'beta', 'alpha'}), list(kept - {'mid'}), sorted({'q', 'mid'} - kept)])
other = kept.copy(); other.remove('alpha'); other.add('last'); other.discard('no'); other |= {'x'}; other -= {'mid'}
show('changed', [list(other), other.pop(), list(other), other == {'beta', 'last', 'x'}, len(kept)])
show('missing', raised(other.remove, 'gone'))`);
  const order = ['zeta', 'alpha', 'mid', 'beta'];
  assert.deepEqual(seen['order'], [order, order, order, order, order]);
  assert.deepEqual(seen['printed'], ["{'zeta', 'alpha', 'mid', 'beta'}", 'set()', 'zeta, alpha, mid, beta']);
  assert.deepEqual(seen['set'], [true, true, true, true, 4, true]);
  assert.deepEqual(seen['ops'], [[...order, 'new'], ['alpha', 'beta'], ['zeta', 'alpha', 'beta'], ['q']]);
  assert.deepEqual(seen['changed'], [['zeta', 'beta', 'last', 'x'], 'zeta', ['beta', 'last', 'x'], true, 4]);
  assert.equal(seen['missing'], "KeyError: 'gone'");
});

const good = { success: true, message: '' };
const config = (extra: object = {}) => ({ active: true, frameworks: ['relay', 'pt'], n: 1, ...extra });
const home = () =>
  folderWith({
    'config/experiments/fine/config.json': config(),
    'config/experiments/fine/nested/config.json': config(),
    'config/experiments/off/config.json': config({ active: false }),
    'config/experiments/unsaid/config.json': { frameworks: [] },
    'config/experiments/bad/config.json': '{',
    'config/experiments/unmeasured/config.json': config(),
    'config/experiments/file.txt': '',
    'config/subsystem/site/config.json': { active: true },
    'config/subsystem/idle/config.json': {},
    ...Object.fromEntries(
      ['fine', 'off', 'unsaid', 'unmeasured'].map((n) => [
        `results/experiments/status/${n}/precheck.json`,
        good,
      ]),
    ),
    'results/experiments/status/bad/precheck.json': { success: false, message: 'no JSON' },
    'results/experiments/status/fine/setup.json': good,
    'results/experiments/status/fine/run.json': { ...good, time_delta: '0:00:01' },
    'results/experiments/status/fine/analysis.json': good,
    'results/experiments/status/fine/summary.json': '{"success": ',
    'results/experiments/status/fine/visualization.json': good,
    'results/experiments/summary/fine/summary.json': { title: 't', value: 'v' },
    'results/subsystem/status/site/precheck.json': good,
    'results/subsystem/status/site/run.json': good,
    'results/subsystem/status/idle/precheck.json': good,
  });

test('DashboardInfo knows the folders of a home and what the night left', { skip }, () => {
  const dir = home();
  const seen = shown(`from dashboard_info import DashboardInfo, SystemType, InfoType
h = ${JSON.stringify(dir)}
info = DashboardInfo(h)
show('home', info.home_dir)
under = lambda path: path[len(h) + 1:]
show('folders', [under(path) for path in [info.exp_configs, info.subsys_configs, info.exp_data, info.exp_statuses,
     info.exp_graphs, info.exp_summaries, info.subsys_statuses, info.subsys_output, info.subsys_telemetry]])
show('of', [under(path) for path in [info.exp_config_dir('e'), info.exp_data_dir('e'), info.exp_status_dir('e'),
     info.exp_graph_dir('e'), info.exp_summary_dir('e'), info.subsys_config_dir('s'), info.subsys_status_dir('s'),
     info.subsys_output_dir('s'), info.subsys_telemetry_dir('e'), info.exp_cpu_telemetry('e'), info.exp_gpu_telemetry('e')]])
show('all', [[under(path) for path in info.all_experiment_dirs()], [under(path) for path in info.all_subsystem_dirs()]])
show('present', [info.all_present_experiments(), info.all_present_subsystems(), DashboardInfo(h + '/missing').all_present_experiments()])
show('read', [info.read_exp_config('fine')['n'], info.read_subsys_config('site'), info.read_exp_summary('fine')])
show('statuses', {name: info.exp_stage_statuses(name) for name in ['fine', 'off', 'bad', 'unmeasured', 'nobody']})
show('subsystems', {name: info.subsys_stage_statuses(name) for name in ['site', 'idle', 'nobody']})
show('active', [info.exp_active('fine'), info.exp_active('unsaid'), info.exp_config_valid('bad'), info.subsys_active('site'),
     info.subsys_active('idle'), info.subsys_config_valid('idle')])
info.report_exp_status('new', 'run', {'success': True})
info.report_subsys_status('new', 'run', {'success': False})
show('reported', [info.exp_stage_status('new', 'run'), info.subsys_stage_status('new', 'run')])
show('kinds', [SystemType.exp.name, SystemType.subsys.name, InfoType.config.name, InfoType.results.name])
show('absent', raised(info.read_exp_config, 'nobody'))`);
  assert.equal(seen['home'], dir);
  const results = (kind: string, ...names: string[]) => names.map((name) => `results/${kind}/${name}`);
  assert.deepEqual(seen['folders'], [
    'config/experiments',
    'config/subsystem',
    ...results('experiments', 'data', 'status', 'graph', 'summary'),
    ...results('subsystem', 'status', 'output', 'telemetry'),
  ]);
  assert.deepEqual(seen['of'], [
    'config/experiments/e',
    ...results('experiments', 'data/e', 'status/e', 'graph/e', 'summary/e'),
    'config/subsystem/s',
    ...results('subsystem', 'status/s', 'output/s', 'telemetry/e', 'telemetry/e/cpu', 'telemetry/e/gpu'),
  ]);
  assert.deepEqual(seen['all'], [
    ['config/experiments', ...results('experiments', 'data', 'graph', 'summary', 'status')],
    ['config/subsystem', ...results('subsystem', 'output', 'status')],
  ]);
  assert.deepEqual(seen['present'], [['bad', 'fine', 'off', 'unmeasured', 'unsaid'], ['idle', 'site'], []]);
  assert.deepEqual(seen['read'], [1, { active: true }, { title: 't', value: 'v' }]);
  const failed = (message: string) => ({ success: false, message });
  assert.deepEqual(seen['statuses'], {
    fine: {
      ...{ precheck: good, setup: good, run: { ...good, time_delta: '0:00:01' }, analysis: good },
      summary: failed('Failed to parse summary stage status'),
    },
    off: { precheck: good },
    bad: { precheck: failed('no JSON') },
    unmeasured: { precheck: good, run: failed('run stage status missing') },
    nobody: { precheck: failed('precheck stage status missing') },
  });
  assert.deepEqual(Object.keys((seen['statuses'] as Record<string, object>)['fine'] ?? {}), [
    ...['precheck', 'setup', 'run', 'analysis', 'summary'],
  ]);
  assert.deepEqual(seen['subsystems'], {
    site: { precheck: good, run: good },
    idle: { precheck: good },
    nobody: { precheck: failed('precheck stage status missing') },
  });
  assert.deepEqual(seen['active'], [true, false, false, true, false, true]);
  assert.deepEqual(seen['reported'], [{ success: true }, { success: false }]);
  assert.equal(
    readFileSync(join(dir, 'results/experiments/status/new/run.json'), 'utf8'),
    '{"success": true}',
  );
  assert.deepEqual(seen['kinds'], ['exp', 'subsys', 'config', 'results']);
  assert.match(String(seen['absent']), /^FileNotFoundError/);
});

test('prerequisites are checked in order, with the first thing that is missing', { skip }, () => {
  const seen = shown(`from check_prerequisites import *
from dashboard_info import DashboardInfo
info = DashboardInfo(${JSON.stringify(home())})
def check(**needs): return list(check_prerequisites(info, needs))
show('all', [check(fine={'frameworks': ['pt']}), check(fine={'frameworks': 'pt'}), check(bad={}), check(nobody={}), check(off={}),
     check(unsaid={}), check(fine={'m': 1}), check(fine={'n': 2}), check(fine={'frameworks': ['tf']}), check(unmeasured={'n': 1.0}),
     check(fine={}, off={}), check()])
show('match', [match_values(a, b) for a, b in [(1, 1.0), (True, 1), ([], ['x']), (['b', 'a'], ['a', 'b', 'c']), ('a', ['a']),
     (['a'], 'a'), ([[1, 2]], [[1, 2], 3]), ([(1, 2)], [[1, 2]]), ([[1]], [1]), (['a'], [])]])`);
  const no = (message: string) => [false, message];
  assert.deepEqual(seen['all'], [
    [true, 'success'],
    no('Config for fine does not match requirements for entry frameworks'),
    no('Config invalid for bad'),
    no('Config invalid for nobody'),
    no('Required experiment off not active'),
    no('Required experiment unsaid not active'),
    no('Config for experiment fine is missing field m'),
    no('Config for fine does not match requirements for entry n'),
    no('Config for fine does not match requirements for entry frameworks'),
    no('unmeasured failed to produce analyzed data'),
    no('Required experiment off not active'),
    [true, 'success'],
  ]);
  assert.deepEqual(seen['match'], [true, true, true, true, false, false, true, true, false, false]);
});
