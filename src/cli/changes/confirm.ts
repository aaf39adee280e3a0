import { beginBook } from '../../app/bisect/bisect-book.ts';
import { bisectCommits } from '../../app/bisect/bisect-commits.ts';
import {
  type Confirmation,
  type ConfirmEffects,
  confirmChange,
  type Neighbours,
} from '../../app/changes/confirm-change.ts';
import { newRunId } from '../../app/night/run-id.ts';
import { judgeDifference } from '../../core/bisect/first-duet.ts';
import type { BisectPlan } from '../../core/bisect/journal.ts';
import type { SearchOptions } from '../../core/bisect/search.ts';
import { NightmarkError } from '../../core/errors.ts';
import type { ChangeRecord } from '../../core/model/change.ts';
import type { Judgement } from '../../core/model/verdict.ts';
import type { CommandTimer } from '../../core/ports/command-timer.ts';
import { loadAdapter } from '../adapters.ts';
import { progressLine } from '../bisect/bisect-text.ts';
import { loadGit, openWorld, stateFolder } from '../bisect/bisect-world.ts';
import type { CliContext } from '../context.ts';

export interface ConfirmRequest {
  readonly record: ChangeRecord;
  readonly home: string;
  readonly isQuiet: boolean;
}

/** Confirms a change of a home by a duet of its two commits, or withdraws it. */
export function confirmInHome(
  { record, home, isQuiet }: ConfirmRequest,
  store: ConfirmEffects['store'],
  context: CliContext,
): Promise<Confirmation> {
  return confirmChange(record, {
    store,
    duet: (neighbours, options) => duetCommits({ ...neighbours, home, isQuiet }, options, context),
  });
}

/** "k3f9x2a is confirmed: 1f2e3d4 is 4.2 % slower ..." */
export function confirmationText(
  id: string,
  { state, before, after, judgement, notes }: Confirmation,
): string {
  const { effect, runs } = judgement;
  const ratio = effect
    ? `: time of ${after} over ${before} is ${effect.ratio.toFixed(3)} (${effect.low.toFixed(3)} to ${effect.high.toFixed(3)})`
    : '';
  return [`${id} is ${state}${ratio}, ${runs} pairs`, ...notes.map((note) => `  ${note}`), ''].join('\n');
}

async function duetCommits(
  request: Neighbours & { readonly home: string; readonly isQuiet: boolean },
  options: SearchOptions,
  context: CliContext,
): Promise<Judgement> {
  const { control, executor } = await loadGit();
  const timer = await loadAdapter<CommandTimer>('timers', 'process');
  const { home, experiment, source } = request;
  const cores = (await timer.cores()).flat().length;
  const plan: BisectPlan = {
    ...{ good: request.before, bad: request.after, parents: 'all', likelyPaths: [], ...options },
    work: { type: 'experiment', home, experiment, source },
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
      await bisectCommits(
        { range, options, settings, book, onlyDifference: true },
        { timer, clock, signal, sideAt, report },
      );
      const bad = range.commits.at(-1)?.commit;
      const ratios = book.events.flatMap((event) =>
        event.type === 'pair' && event.commit === bad ? [Math.log(event.time / event.good)] : [],
      );
      const found = judgeDifference(ratios, options);
      if (found.state !== 'open') return found.judgement;
      throw new NightmarkError('BISECT_BAD_STATE', 'The duet ended before its first look.');
    } finally {
      await world.close();
    }
  } finally {
    book.close();
  }
}
