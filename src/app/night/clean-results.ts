import { joinPath } from '../../core/path.ts';
import type { Night } from './night.ts';

/**
 * Graphs, summaries and statuses hold the last night only; data and the output of subsystems stay. A night of some
 * tasks (--only, --skip) cleans up after those alone.
 */
export async function cleanResults(night: Night): Promise<void> {
  if (night.book.isDone('clean')) return;
  const { disk } = night.effects;
  const results = joinPath(night.home.dir, 'results');
  const isWhole = night.options.only === undefined && night.options.skip === undefined;
  const stale = ['experiments/graph', 'experiments/summary', 'experiments/status', 'subsystem/status'];
  if (isWhole) {
    for (const folder of stale) await disk.remove(joinPath(results, folder));
  } else {
    for (const path of ownFolders(night)) await disk.remove(path);
  }
  for (const folder of [...stale, 'experiments/data', 'subsystem/output'])
    await disk.makeDir(joinPath(results, folder));
  if (night.home.dialect === 'dashboard') {
    for (const folder of ['experiments', 'subsystem'])
      await disk.makeDir(joinPath(night.home.dir, 'config', folder));
  }
  await night.book.record({ type: 'step', step: 'clean' });
}

function ownFolders({ experiments, subsystems, layout }: Night): readonly string[] {
  return [
    ...experiments.flatMap(({ name }) => [
      layout.graph(name),
      layout.summary(name),
      layout.status('experiment', name),
    ]),
    ...subsystems.map(({ name }) => layout.status('subsystem', name)),
  ];
}
