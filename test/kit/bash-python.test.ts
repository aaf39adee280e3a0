import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { noPython, PYTHON } from '../support/python-job.ts';
import { folderWith, KIT_DIR, removeFolders } from '../support/python-kit.ts';

const skip = noPython;
after(removeFolders);

const standin = (name: string) => join(KIT_DIR, 'python/standin', name);

/** Runs a script that has sourced the kit, with a python3 that finds no packages but those it is given. */
function bash(script: string, { packages = '' }: { packages?: string } = {}) {
  const bin = folderWith({
    python3: `#!/bin/sh\nPYTHONPATH="$PYTHONPATH:${packages}" exec ${PYTHON} -S "$@"\n`,
  });
  chmodSync(join(bin, 'python3'), 0o755);
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['-c', `. "$BENCHMARK_DEPS/bash/common.sh"\n${script}`],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: `${bin}:${process.env['PATH']}`,
        BENCHMARK_DEPS: KIT_DIR,
        PYTHONDONTWRITEBYTECODE: '1',
      },
    },
  );
  return { status, stdout, stderr };
}

test('stand-ins are put last, and only for what python3 does not find', { skip }, () => {
  const path = 'include_shared_python_deps; add_to_pythonpath /mine; echo "$PYTHONPATH"';
  const python = join(KIT_DIR, 'python');
  const both = `/mine:${python}:${standin('numpy')}:${standin('slack')}\n`;
  assert.deepEqual(bash(path), { status: 0, stdout: both, stderr: '' });
  assert.deepEqual(bash(`set -euo pipefail; IFS=,\n${path}`).stdout, both);
  const packages = folderWith({ 'numpy/__init__.py': 'real = True' });
  assert.equal(bash(path, { packages }).stdout, `/mine:${python}:${standin('slack')}\n`);
  const again = bash(`include_shared_python_deps; ${path}`).stdout;
  assert.equal(again, `/mine:${python}:${python}:${standin('numpy')}:${standin('slack')}\n`);
});

test('a script finds the kit and the stand-ins, and never instead of a real package', { skip }, () => {
  const program = `import numpy, slack, common; print(numpy.__file__, slack.WebClient.__module__, common.__name__)`;
  const script = `include_shared_python_deps; python3 -c '${program}'`;
  assert.equal(bash(script).stdout, `${standin('numpy')}/numpy/__init__.py nightmark_slack common\n`);
  const packages = folderWith({ 'numpy/__init__.py': '' });
  assert.equal(bash(script, { packages }).stdout, `${packages}/numpy/__init__.py nightmark_slack common\n`);
});

test('without any python3 the kit is still put on the path', () => {
  const { stdout, status } = bash('PATH=/nowhere; include_shared_python_deps; echo "$PYTHONPATH"');
  assert.deepEqual([status, stdout], [0, `${join(KIT_DIR, 'python')}\n`]);
});

test('a stage script of an old experiment runs as it is', { skip }, () => {
  const dir = folderWith({
    'run.sh':
      '#!/bin/bash\nsource $BENCHMARK_DEPS/bash/common.sh\ninclude_shared_python_deps\nadd_to_pythonpath $(pwd)\npython_run_trial "run.py" $1 $2\n',
    'run.py':
      "from exp_templates import run_template, common_trial_params\nfrom validate_config import validate_config\nif __name__ == '__main__':\n    same = lambda *args: list(args)\n    run_template(validate_config, gen_trial_params=common_trial_params('py', 'old', same, same, same, ['n'], ['sizes']))\n",
    'validate_config.py':
      "from common import read_config\nfrom config_util import check_config, non_negative_cond\ndef validate_config(config_dir):\n    return check_config(read_config(config_dir), {'dry_run': 1, 'n_inputs': 1, 'n_times_per_input': 2}, {}, {'n_inputs': non_negative_cond()})\n",
    'config/config.json': { active: true, sizes: [20, 10] },
    'bad/config.json': { active: true, sizes: [1], n_inputs: -1 },
  });
  const run = (config: string) => bash(`cd ${dir}; bash run.sh ${dir}/${config} ${dir}/raw`);
  const ran = run('config');
  assert.deepEqual([ran.status, ran.stderr], [0, '']);
  const rows = readFileSync(join(dir, 'raw/py-old.csv'), 'utf8').replace(/[^,\r\n]+(?=\r\n)/g, 'T');
  assert.equal(rows, 'n,rep,run,T\r\n20,0,1,T\r\n20,0,2,T\r\n10,0,1,T\r\n10,0,2,T\r\n');
  assert.equal(readFileSync(join(dir, 'raw/status.json'), 'utf8'), '{"success": true, "message": "success"}');
  assert.equal(run('bad').status, 1);
  assert.equal(
    readFileSync(join(dir, 'raw/status.json'), 'utf8'),
    '{"success": false, "message": "-1 does not meet precondition \\"must be non-negative\\" for field n_inputs"}',
  );
});

const OTHER_SHELL = 'dash';
const noDash = spawnSync(OTHER_SHELL, ['-c', ':']).error !== undefined && 'there is no dash: install it';

test('a shell that is not bash is reported, in one line', { skip: noDash }, () => {
  const script = `. "${join(KIT_DIR, 'bash/common.sh')}" || exit 7`;
  const { status, stderr } = spawnSync(OTHER_SHELL, ['-c', script], { encoding: 'utf8' });
  assert.deepEqual(
    [status, stderr],
    [7, 'bash/common.sh is for bash: begin the script with #!/usr/bin/env bash, or start it with bash.\n'],
  );
});
