import { processTimer } from '../../duet/adapters/timer/process-timer.ts';
import { newRunId } from '../../home/app/run-id.ts';
import type { ChangeRecord } from '../../home/core/changes/change.ts';
import { type FollowedChange, isRegression } from '../../home/core/changes/change-ledger.ts';
import type { ConfirmRules, Home } from '../../home/core/home.ts';
import type { Store } from '../../home/core/store.ts';
import type { Neighbours } from '../../judge/app/changes/find-neighbours.ts';
import { judgingRules } from '../../judge/app/series/judging-rules.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { messageOf } from '../../platform/core/errors.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { beginJournal } from '../app/bisect-journal.ts';
import { compareEnds, type EndsFound } from '../app/compare-ends.ts';
import { type Confirmation, type ConfirmEffects, confirmChange, recordDuet } from '../app/confirm-change.ts';
import { type MetricRequest, metricText } from '../core/bisect-metric.ts';
import type { BisectPlan } from '../core/bisect-plan.ts';
import type { DifferenceOptions } from '../core/difference.ts';
import { progressLine } from './bisect-text.ts';
import { loadGit, openWorld, stateFolder } from './bisect-world.ts';

const MINUTE_MS = 60_000;

/**
 * Measures the commits of the newest provisional regressions of a night again, as long as the definition allows: that of
 * the home counts for all experiments together, that of an experiment for it alone.
 */
export async function confirmNewRegressions(
  news: readonly FollowedChange[],
  { home, store }: { readonly home: Home; readonly store: Store },
  context: CliContext,
): Promise<void> {
  const waiting = news.filter((change) => isRegression(change) && change.isProvisional);
  for (const { rules, records } of byRules(waiting, home))
    await confirmWithin(rules, records.slice(0, rules.duets), { home: home.dir, store, context });
}

interface Share {
  readonly rules: ConfirmRules;
  readonly records: FollowedChange[];
}

function byRules(waiting: readonly FollowedChange[], home: Home): Iterable<Share> {
  const ruleSet = judgingRules(home);
  const shares = new Map<string, Share>();
  for (const record of waiting) {
    const rules = ruleSet.rulesFor(record.series).confirm;
    if (!rules) continue;
    const { series } = record;
    const isOwn = series.kind === 'value' && rules !== ruleSet.home.confirm;
    const key = isOwn ? series.experiment : '';
    const share = shares.get(key) ?? { rules, records: [] };
    shares.set(key, share);
    share.records.push(record);
  }
  return shares.values();
}

interface Place {
  readonly home: string;
  readonly store: Store;
  readonly context: CliContext;
}

async function confirmWithin(
  { minutes }: ConfirmRules,
  records: readonly FollowedChange[],
  { home, store, context }: Place,
): Promise<void> {
  const { disk, clock, stderr, signal } = context;
  const limit = new AbortController();
  const stop = () => limit.abort();
  signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(stop, minutes * MINUTE_MS);
  try {
    for (const record of records) {
      if (limit.signal.aborted) break;
      try {
        const request = { record, home, isQuiet: true };
        const found = await confirmInHome(request, store, { ...context, signal: limit.signal });
        await recordDuet({ home, id: record.id, found }, { disk, store, clock });
        stderr.write(confirmationText(record.id, found));
      } catch (error) {
        // The night stands; what could not be confirmed waits for more nights.
        if (signal.aborted) throw error;
        stderr.write(`${record.id} was not confirmed by a duet: ${messageOf(error)}\n`);
      }
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

export interface ConfirmRequest {
  readonly record: ChangeRecord;
  readonly home: string;
  readonly isQuiet: boolean;
  /** Absent: the metric of the change. */
  readonly metric?: MetricRequest;
}

/** Confirms a change of a home by a duet of its two commits, or withdraws it. */
export function confirmInHome(
  { record, home, isQuiet, metric }: ConfirmRequest,
  store: ConfirmEffects['store'],
  context: CliContext,
): Promise<Confirmation> {
  const effects: ConfirmEffects = {
    store,
    duet: (neighbours, metric, options) =>
      duetCommits({ ...neighbours, metric, home, isQuiet }, options, context),
  };
  return metric ? confirmChange(record, effects, metric) : confirmChange(record, effects);
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
  request: Neighbours & { readonly metric: MetricRequest; readonly home: string; readonly isQuiet: boolean },
  options: DifferenceOptions,
  context: CliContext,
): Promise<EndsFound> {
  const { control, executor } = await loadGit();
  const { home, experiment, source, metric } = request;
  const cores = (await processTimer.cores()).flat().length;
  const plan: BisectPlan = {
    ...{ good: request.before, bad: request.after, parents: 'all', likelyPaths: [], ...options },
    work: { type: 'experiment', home, experiment, source, metric },
    mode: cores >= 2 ? 'together' : 'alternate',
    seed: context.randomSeed(),
  };
  const { clock, signal, disk, stderr } = context;
  const id = newRunId(clock.now(), context.randomSeed());
  const folder = `${await stateFolder(plan.work, control, context)}/confirmations`;
  const journal = await beginJournal(folder, { type: 'begin', id, at: clock.now(), plan }, disk);
  try {
    const world = await openWorld(plan, id, { control, executor, context });
    try {
      const { range, sideAt, hasBuild } = world;
      const report = (progress: Parameters<typeof progressLine>[0]) => {
        const line = request.isQuiet ? undefined : progressLine(progress, range);
        if (line !== undefined) stderr.write(`${line}\n`);
      };
      const settings = { mode: plan.mode, seed: plan.seed };
      return await compareEnds(
        { range, options: { ...options, mostBuilds: 2 }, settings, journal },
        { timer: processTimer, clock, signal, sideAt, hasBuild, report },
      );
    } finally {
      await world.close();
    }
  } finally {
    journal.close();
  }
}
