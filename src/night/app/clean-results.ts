import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { Night } from './night.ts';

/**
 * Graphs, summaries and statuses hold the last night only; data and the output of subsystems stay. A night of some
 * tasks (--only, --skip) cleans up after those alone.
 */
export async function cleanResults(night: Night): Promise<void> {
  if (night.recorder.isDone('clean')) return;
  const { disk } = night.effects;
  const results = joinPath(night.home.dir, 'results');
  const isWhole = night.options.only === undefined && night.options.skip === undefined;
  const stale = ['experiments/graph', 'experiments/summary', 'experiments/status', 'subsystem/status'];
  const outdated = isWhole ? stale.map((folder) => joinPath(results, folder)) : ownFolders(night);
  for (const path of outdated) await moveToTrash(night, path);
  for (const folder of [...stale, 'experiments/data', 'subsystem/output'])
    await disk.makeDir(joinPath(results, folder));
  if (night.home.dialect === 'dashboard') {
    for (const folder of ['experiments', 'subsystem'])
      await disk.makeDir(joinPath(night.home.dir, 'config', folder));
  }
  await night.recorder.record({ type: 'step', step: 'clean' });
}

/**
 * Deleted when the night is over: a file system that has just deleted thousands of files is slow to create new ones
 * (ext4 does not reuse an inode for five seconds and checks each), and that would be measured too.
 */
async function moveToTrash({ effects, layout, run }: Night, path: string): Promise<void> {
  const { disk } = effects;
  if (!(await disk.stat(path))) return;
  await disk.makeDir(layout.trash);
  const name = `${run.id}-${path.replaceAll('/', '-')}`.slice(-200);
  try {
    await disk.rename(path, joinPath(layout.trash, name));
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    await disk.remove(path); // on another disk, or moved before an interruption
  }
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
