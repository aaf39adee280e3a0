import type { Home } from '../../home/core/home.ts';
import { homeLayout, runFiles } from '../../home/core/home-layout.ts';
import type { RunOptions } from '../../home/core/journal.ts';
import type { Run } from '../../home/core/run.ts';
import type { NightEffects } from './effects.ts';
import type { Night } from './night.ts';
import { NightBook } from './night-book.ts';
import { rawPlaces } from './raw-places.ts';
import { selectTasks } from './select-tasks.ts';
import { trialOf } from './trials.ts';

/** Puts together what the steps of a night share. */
export async function makeNight(
  home: Home,
  run: Run,
  options: RunOptions,
  effects: NightEffects,
): Promise<Night> {
  const layout = homeLayout(home.dir);
  const files = runFiles(home.dir, run.id);
  const tvmHome = effects.env['TVM_HOME'];
  await effects.executor.ready();
  const tvm = tvmHome === undefined ? undefined : await effects.control.describe(tvmHome);
  const tasks = new Map(home.tasks.map((task) => [`${task.kind}/${task.name}`, task]));
  const book: NightBook = new NightBook(
    {
      journal: await effects.disk.openJournal(files.journal),
      layout,
      runId: run.id,
      trialOf: ({ kind, name }) => {
        const task = tasks.get(`${kind}/${name}`);
        return task && trialOf(task, run.id, book);
      },
    },
    effects,
  );
  return {
    home,
    run,
    options,
    layout,
    files,
    raw: rawPlaces(home, run.label),
    book,
    effects,
    ...selectTasks(home, options),
    tvmHash: tvm?.shortCommit,
  };
}
