import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../../src/home/core/home-layout.ts';
import { runInProcess } from '../support/in-process.ts';

const root = mkdtempSync(join(tmpdir(), 'nightmark-duet-store-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** What the index of a home says about a run. */
async function stored(home: string, id: string) {
  const store = await openSqliteStore(homeLayout(home).index, { readOnly: true });
  try {
    const samples = await store.samplesOf(id, 'dacapo.fop');
    const series = await store.series({ experiment: 'dacapo.fop', limit: 100 });
    const trials = (await store.trialsOf([id])).map(({ task, state }) => `${task} ${state}`).sort();
    return {
      run: await store.run(id),
      samples,
      trials,
      paths: series.map(({ path }) => path.join('/')).sort(),
    };
  } finally {
    store.close();
  }
}

test('--store saves the times as a run of the home, and reindex reads it back from its files', async () => {
  const home = join(root, 'home');
  assert.equal((await runInProcess(['init', home])).code, 0);
  const dir = join(process.cwd(), 'test/golden/duet/results.tiny');
  const args = ['duet', 'process', dir, '-o', join(root, 'tiny.json'), '--json', '--store', home];
  const { stdout, code, stderr } = await runInProcess(args);
  assert.equal(code, 0, stderr);
  const { stored: id } = JSON.parse(stdout) as { stored: string };

  const before = await stored(home, id);
  assert.deepEqual(
    [before.run?.kind, before.run?.origin, before.run?.state],
    ['duet', 'imported', 'finished'],
  );
  // The first iteration of all began then, in milliseconds: that of dacapo.fop.0.duet.AB.A.
  assert.equal(before.run?.startedAt, 1794769558908);
  assert.deepEqual(before.trials, [
    'dacapo.fop succeeded',
    'renaissance.als_v2 succeeded',
    'renaissance.chi-square succeeded',
  ]);
  assert.deepEqual(before.paths, [
    'fop/side=A/type=duet',
    'fop/side=A/type=seqn',
    'fop/side=A/type=syncduet',
    'fop/side=B/type=duet',
    'fop/side=B/type=seqn',
    'fop/side=B/type=syncduet',
  ]);
  const first = before.samples.find(
    ({ settings }) => settings['side'] === 'A' && settings['type'] === 'duet',
  );
  assert.deepEqual([first?.benchmark, first?.unit, first?.values.length], [['fop'], 's', 5]);
  assert.deepEqual(first?.values.slice(0, 2), [0.201755, 0.201689]);

  assert.equal((await runInProcess(['reindex', home])).code, 0);
  assert.deepEqual(await stored(home, id), before);
});
