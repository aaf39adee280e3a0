import type { CommandTimer } from '../../duet/core/command-timer.ts';
import { newRunId } from '../../home/app/run-id.ts';
import type { ChangeRecord } from '../../home/core/changes/change.ts';
import type { Neighbours } from '../../judge/app/changes/find-neighbours.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { beginBook } from '../app/bisect-book.ts';
import { bisectCommits } from '../app/bisect-commits.ts';
import {
  type Confirmation,
  type ConfirmEffects,
  confirmChange,
  type DuetFound,
} from '../app/confirm-change.ts';
import type { BisectPlan } from '../core/journal.ts';
import { type MetricWish, metricText } from '../core/metric.ts';
import type { SearchOptions } from '../core/search.ts';
import { progressLine } from './bisect-text.ts';
import { loadGit, openWorld, stateFolder } from './bisect-world.ts';

export interface ConfirmRequest {
  readonly record: ChangeRecord;
  readonly home: string;
  readonly isQuiet: boolean;
  /** Absent: the metric of the change. */
  readonly wish?: MetricWish;
}

/** Confirms a change of a home by a duet of its two commits, or withdraws it. */
export function confirmInHome(
  { record, home, isQuiet, wish }: ConfirmRequest,
  store: ConfirmEffects['store'],
  context: CliContext,
): Promise<Confirmation> {
  const effects: ConfirmEffects = {
    store,
    duet: (neighbours, metric, options) =>
      duetCommits({ ...neighbours, metric, home, isQuiet }, options, context),
  };
  return wish ? confirmChange(record, effects, wish) : confirmChange(record, effects);
}

/** "k3f9x2a is confirmed: 1f2e3d4 is 4.2 % slower ..." */
export function confirmationText(
  id: string,
  { state, before, after, metric, judgement, notes }: Confirmation,
): string {
  const { effect, runs } = judgement;
  const what = visible(metricText(metric));
  const ratio = effect
    ? `: ${what} of ${after} over ${before} is ${effect.ratio.toFixed(3)} (${effect.low.toFixed(3)} to ${effect.high.toFixed(3)})`
    : '';
  return [`${id} is ${state}${ratio}, ${runs} pairs`, ...notes.map((note) => `  ${visible(note)}`), ''].join(
    '\n',
  );
}

async function duetCommits(
  request: Neighbours & { readonly metric: MetricWish; readonly home: string; readonly isQuiet: boolean },
  options: SearchOptions,
  context: CliContext,
): Promise<DuetFound> {
  const { control, executor } = await loadGit();
  const timer = await loadAdapter<CommandTimer>('timers', 'process');
  const { home, experiment, source, metric } = request;
  const cores = (await timer.cores()).flat().length;
  const plan: BisectPlan = {
    ...{ good: request.before, bad: request.after, parents: 'all', likelyPaths: [], ...options },
    work: { type: 'experiment', home, experiment, source, metric },
    mode: cores >= 2 ? 'together' : 'alternate',
    seed: context.randomSeed(),
  };
  const { clock, signal, disk, stderr } = context;
  const id = newRunId(clock.now(), context.randomSeed());
  const folder = `${await stateFolder(plan.work, control, context)}/confirmations`;
  const book = await beginBook(folder, { type: 'begin', id, at: clock.now(), plan }, disk);
  try {
    const world = await openWorld(plan, id, { control, executor, context });
    try {
      const { range, sideAt } = world;
      const report = (progress: Parameters<typeof progressLine>[0]) => {
        const line = request.isQuiet ? undefined : progressLine(progress, range);
        if (line !== undefined) stderr.write(`${line}\n`);
      };
      const settings = { mode: plan.mode, seed: plan.seed };
      const found = await bisectCommits(
        { range, options, settings, book, onlyDifference: true },
        { timer, clock, signal, sideAt, report },
      );
      if (found.state !== 'found') return { metric: found.metric, judgement: found.judgement };
      throw new NightmarkError('BISECT_BAD_STATE', 'The duet went on into a search.');
    } finally {
      await world.close();
    }
  } finally {
    book.close();
  }
}
