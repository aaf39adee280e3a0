import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runBinary } from '../support/binary.ts';
import { findPodman } from '../support/podman.ts';
import { noPython } from '../support/python-job.ts';
import { folderWith, KIT_DIR, removeFolders, runPython } from '../support/python-kit.ts';

const podman = findPodman();
if (podman.skip !== false) console.log(`the kit in a container is left out: ${podman.skip}`);
after(removeFolders);

test('a graph that is drawn in a container without the program fails with what to do', {
  skip: podman.skip,
}, async () => {
  const home = folderWith({
    'nightmark.yml': `defaults: {engine: podman, image: duet-bash, telemetry: false}
experiments:
  inside:
    run: bash kit.sh {out}
    results: {format: json, unit: s}
    visualize: '"$NIGHTMARK" chart spec.json -o {out}/a.png'
`,
    'kit.sh': `source "$BENCHMARK_DEPS/bash/common.sh"
wrap_command_status "$1" 'tr a-z A-Z <<< "seen"' && emit_status_file true "$(cat "$1/out.log")" "$1/inner"
echo '{"time": 1.5}'`,
  });
  const ran = await runBinary(['run', home, '--json'], podman.env);
  const [trial] = JSON.parse(ran.stdout).trials as Record<string, string>[];
  const status = (stage: string) =>
    JSON.parse(readFileSync(join(home, 'results/experiments/status/inside', `${stage}.json`), 'utf8'));
  assert.equal(status('run').success, true, JSON.stringify([trial, status('run')]));
  assert.match(
    status('visualization').message,
    /In a container there is only the kit: install the package in the image/,
  );
});

test('so does a graph of Python, where only the kit is', { skip: noPython }, () => {
  const folder = folderWith();
  cpSync(KIT_DIR, join(folder, 'kit'), { recursive: true });
  const program = `from plot_util import *
PlotBuilder().make(PlotType.BAR, {'meta': ['a', 'b'], 'raw': {'x': 1}}).save('${folder}', 'a.png')`;
  const env = { PYTHONPATH: join(folder, 'kit/python') };
  for (const more of [{ NIGHTMARK: join(folder, 'kit/bin/nightmark') }, { PATH: '/nowhere' }]) {
    const { status, stderr } = runPython(program, { env: { ...env, ...more } });
    assert.equal(status, 1);
    assert.match(stderr, /RuntimeError: .*(In a container there is only the kit|put it on the PATH)/);
  }
});
