import { joinPath } from '../../../platform/core/path.ts';
import { filesIn, foldersIn, inGroups, readWhole } from './files.ts';
import type { Progress, ReindexEffects } from './progress.ts';
import { runOfLabel } from './run-of-label.ts';

const MAX_TELEMETRY_BYTES = 64 * 1024 * 1024;
const KINDS = ['cpu', 'gpu'] as const;

/** The telemetry beside the runs, as points of the run that its label belongs to. */
export async function indexTelemetry(
  dir: string,
  progress: Progress,
  effects: ReindexEffects,
): Promise<void> {
  const { disk, store, readTelemetry } = effects;
  if (!readTelemetry) return;
  for (const experiment of await foldersIn(dir, disk, progress)) {
    for (const kind of KINDS) {
      const folder = joinPath(dir, experiment, kind);
      await inGroups(store, await filesIn(folder, disk, progress), async (name) => {
        const found = await progress.attempt(joinPath(folder, name), async () => {
          const label = name.startsWith(`${kind}-`) && name.endsWith('.json') ? name.slice(4, -5) : '';
          if (label === '') throw new Error(`Its name is not ${kind}-<label>.json.`);
          const { id, startedAt } = runOfLabel(label, progress, effects);
          if (!(await store.run(id))) throw new Error(`There is no night ${label}.`);
          const text = await readWhole(folder, name, disk, MAX_TELEMETRY_BYTES);
          return { id, columns: readTelemetry(text, { kind, experiment, startedAt }).columns };
        });
        if (!found) return;
        await store.appendPoints(found.id, found.columns);
        progress.count('telemetryFiles');
      });
    }
  }
}
