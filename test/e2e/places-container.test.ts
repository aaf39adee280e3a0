import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { runBinary } from '../support/binary.ts';
import { findPodman } from '../support/podman.ts';

const podman = findPodman();
if (podman.skip !== false) console.log(`nights in containers are left out: ${podman.skip}`);

describe('a night in containers', { skip: podman.skip }, () => {
  const home = mkdtempSync(join(tmpdir(), 'nightmark-places-container-'));
  after(() => rmSync(home, { recursive: true, force: true }));

  test('runs all stages of an experiment in its image, others as processes, and reports of an image that is not there', async () => {
    writeFileSync(
      join(home, 'nightmark.yml'),
      `defaults: {engine: podman, telemetry: false}
experiments:
  inside:
    image: duet-bash
    setup: 'ls -d /duet > {out}/seen; touch outside'
    run: 'test -n "$NIGHTMARK_CONTAINER" && echo "{\\"time\\": 1.5}"'
    results: {format: json, unit: s}
  outside: {run: 'test -z "$NIGHTMARK_CONTAINER" && echo "{\\"time\\": 2}"', results: {format: json, unit: s}}
  missing: {run: 'true', image: localhost/nightmark-no-such:1}
`,
    );
    const ran = await runBinary(['run', home, '--json'], podman.env);
    assert.equal(ran.code, 4, ran.stderr);
    const trials = JSON.parse(ran.stdout).trials as Record<string, string>[];
    assert.deepEqual(
      trials.map(({ task, state, failedStage }) => [task, state, failedStage]),
      [
        ['inside', 'succeeded', undefined],
        ['outside', 'succeeded', undefined],
        ['missing', 'failed', 'precheck'],
      ],
    );
    assert.match(
      trials[2]?.['message'] ?? '',
      /podman could not get the image localhost\/nightmark-no-such:1/,
    );
    assert.equal(readFileSync(join(home, '.nightmark/setup/inside/seen'), 'utf8'), '/duet\n');
    assert.ok(existsSync(join(home, 'outside')), 'the home is shared and may be written');
    const status = JSON.parse(readFileSync(join(home, 'results/experiments/status/inside/run.json'), 'utf8'));
    assert.equal(status.executor, 'container');
  });
});
