import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStore } from '../../../home/adapters/store/sqlite-store.ts';
import { cachedOutcomes } from './store-cache.ts';

test('endings read for all experiments at once are those that are read one by one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-endings-'));
  const store = await openSqliteStore(join(folder, 'index.db'));
  const tasks = Array.from({ length: 12 }, (_, number) => `e${number}`);
  for (let night = 0; night < 5; night++) {
    const id = `r${night}`;
    await store.saveRun({
      ...{ id, kind: 'night', project: 'p', label: id, state: 'finished', startedAt: night % 4 },
      ...{ order: tasks, origin: 'measured', warnings: [], ...(night > 1 && { machineId: 'm' }) },
    });
    await store.saveTrials(
      tasks.slice(night).map((task, place) => ({
        ...{ runId: id, task, kind: 'experiment', message: 'said', durationMs: 5 },
        ...{ state: (night + place) % 3 === 0 ? 'failed' : 'succeeded', commits: { repo: `c${place % 2}` } },
      })),
    );
  }
  const endings = cachedOutcomes(store);
  // Twice: the first few are asked for one by one.
  for (const experiment of [...tasks, ...tasks, 'nobody']) {
    const read = await endings({ experiment, limit: 3 });
    const one = await store.outcomes({ experiment, limit: 3 });
    const bare = (list: typeof read) =>
      list.map(({ runId, at, state, machineId, commits }) => ({ runId, at, state, machineId, commits }));
    assert.deepEqual(bare(read), bare(one), experiment);
  }
  store.close();
  rmSync(folder, { recursive: true });
});
