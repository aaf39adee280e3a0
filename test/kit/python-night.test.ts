import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { noPython } from '../support/python-job.ts';
import { addExperiment, makeScriptHome } from '../support/script-home.ts';

const BEGIN =
  '#!/usr/bin/env bash\nsource $BENCHMARK_DEPS/bash/common.sh\ninclude_shared_python_deps\nadd_to_pythonpath $(pwd)\n';
const stage = (name: string, ...args: string[]) =>
  `${BEGIN}check_python_exit_code "${name}.py" ${args.join(' ')}\n`;
const DATA = ['--config-dir "$1"', '--data-dir "$2"', '--output-dir "$3"'];

/** An experiment as those of the dashboard are: four shell scripts that start four lines of Python each. */
const OLD = {
  'run.sh': `${BEGIN}"$NIGHTMARK" helpers > "$2/helpers.txt"\npython_run_trial "run.py" $1 $2\n`,
  'analyze.sh': stage('analyze', ...DATA),
  'visualize.sh': `${BEGIN}emit_status_file true "$(cat "$2"/*.json | wc -l)" "$3"\n`,
  'summarize.sh': stage('summarize', ...DATA),
  'validate_config.py': `from common import read_config
from config_util import check_config, non_negative_cond
def validate_config(config_dir):
    return check_config(read_config(config_dir), {'dry_run': 1, 'n_inputs': 1, 'n_times_per_input': 3},
                        {'devices': {'cpu', 'gpu'}}, {'n_inputs': non_negative_cond()})
`,
  'run.py': `from exp_templates import run_template, common_trial_params, common_early_exit
from validate_config import validate_config
run_template(validate_config, common_early_exit({'devices': 'cpu'}), common_trial_params(
    'py', 'sums', lambda device, n: sum(range(n)), lambda *args: list(args), lambda *args: None, ['device', 'n'], ['devices', 'sizes']))
`,
  'analyze.py': `from exp_templates import analysis_template
from validate_config import validate_config
analysis_template(validate_config, lambda config: {'%d numbers' % n: n for n in config['sizes']},
    lambda config, dev, n: ['py', 'sums', config['n_inputs'], ['device', 'n'], {'device': dev, 'n': n}], use_networks=False)
`,
  'summarize.py': `from exp_templates import summarize_template
from validate_config import validate_config
summarize_template(validate_config, use_networks=False)
`,
};

test('an experiment of the dashboard runs in a night with our kit', { skip: noPython }, () => {
  const home = makeScriptHome([]);
  try {
    addExperiment(home, 'sums', OLD, { title: 'Sums', devices: ['cpu'], sizes: [300, 20] });
    const { BENCHMARK_DEPS: _deps, NIGHTMARK: _command, ...env } = process.env;
    const main = join(process.cwd(), 'dist/src/cli/nightmark.cjs');
    const night = spawnSync(process.execPath, [main, 'run', home, '--json'], {
      encoding: 'utf8',
      env: { ...env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    assert.equal(night.status, 0, night.stdout + night.stderr);
    const results = join(home, 'results/experiments');
    const [file = ''] = readdirSync(join(results, 'data/sums'));
    const data = JSON.parse(readFileSync(join(results, 'data/sums', file), 'utf8')) as {
      readonly cpu: Record<string, number>;
    };
    assert.deepEqual(Object.keys(data.cpu), ['300 numbers', '20 numbers']);
    const { title, value } = JSON.parse(
      readFileSync(join(results, 'summary/sums/summary.json'), 'utf8'),
    ) as Record<string, string>;
    assert.equal(title, 'Sums');
    assert.match(String(value), /^_Times on CPU_\n300 numbers: \d+\.\d{3}\n20 numbers: \d+\.\d{3}\n$/);
    const [archive = ''] = readdirSync(join(home, '.nightmark/tmp'));
    const helpers = spawnSync(
      'tar',
      ['-xzOf', join(home, '.nightmark/tmp', archive), '--wildcards', '*/helpers.txt'],
      { encoding: 'utf8' },
    );
    assert.equal(
      helpers.stdout,
      `${join(process.cwd(), 'kit')}\n`,
      'NIGHTMARK is the command of this package',
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
