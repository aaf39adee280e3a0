import type { CommitLog } from '../../../git/core/commit-log.ts';
import type { Shift } from '../../../home/core/changes/change.ts';
import type { BriefRun, Trial } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { inNaturalOrder } from '../../../platform/core/text/text-order.ts';
import { COMPARE_DEFAULTS, type CompareOptions, compareSeries } from '../../core/compare/compare-series.ts';
import { type ComparedRow, countRows } from '../../core/compare/compared-row.ts';
import type { CompareView, SideFailure, SideRun, SideView } from './compare-view.ts';
import { readDifferences } from './read-differences.ts';
import { onSharedMachines, readSides } from './read-sides.ts';
import { type CompareEffects, machineNames, type ResolvedSide, valueRuns } from './resolve-side.ts';
import { type RequestedSides, resolveSides } from './side-choices.ts';

export interface CompareRequest extends RequestedSides {
  /** Also spreads and counts below "detailed". */
  readonly withDetails?: boolean;
  readonly options?: Partial<CompareOptions>;
}

export interface CompareRunsEffects extends CompareEffects {
  /** Absent: hashes only. */
  readonly commits?: CommitLog;
  readonly signal: CancelSignal;
}

/** Compares two sets of runs: every series with its verdict, what failed, and what else differs. */
export async function compareRuns(
  request: CompareRequest,
  effects: CompareRunsEffects,
): Promise<CompareView> {
  const { store } = effects;
  const options = { ...COMPARE_DEFAULTS, ...request.options };
  const { base, head, notes } = onSharedMachines(await resolveSides(request, effects));
  const trials = {
    base: await store.trialsOf(base.runs.map(({ id }) => id)),
    head: await store.trialsOf(head.runs.map(({ id }) => id)),
  };
  const past = await pastRuns(base, head, store);
  const which = { withDetails: request.withDetails ?? false, failed: alwaysFailed(trials.head) };
  const { sides, details } = await readSides({ base: base.runs, head: head.runs, past }, which, store);
  const rows = compareSeries(sides, options).map(compact);
  const machines = await machineNames([...base.runs, ...head.runs], store);
  return {
    base: sideView(base, trials.base, machines),
    head: sideView(head, trials.head, machines),
    rows,
    counts: countRows(rows),
    details,
    failures: [
      ...sideFailures('base', base.runs, trials.base),
      ...sideFailures('head', head.runs, trials.head),
    ],
    differences: await readDifferences(
      { home: request.home, base: base.runs, head: head.runs, trials },
      effects,
    ),
    notes: [...notes, ...notesOf(base, head, machines)],
    ...{ minEffect: options.minEffect, level: 1 - options.alpha },
  };
}

function sideView(
  { asked, runs, matched }: ResolvedSide,
  trials: readonly Trial[],
  machines: ReadonlyMap<string, string>,
): SideView {
  const commits = new Map<string, Record<string, string>>();
  for (const { runId, commits: own } of trials) commits.set(runId, { ...(commits.get(runId) ?? {}), ...own });
  return { asked, matched, runs: runs.map((run) => sideRun(run, commits.get(run.id) ?? {}, machines)) };
}

function sideRun(
  { id, label, kind, state, origin, startedAt, machineId }: BriefRun,
  commits: SideRun['commits'],
  machines: ReadonlyMap<string, string>,
): SideRun {
  const machine = machineId === undefined ? undefined : machines.get(machineId);
  return {
    ...{ id, label, kind, state, origin, startedAt, commits },
    ...(machineId !== undefined && { machineId }),
    ...(machine !== undefined && { machine }),
  };
}

function notesOf(base: ResolvedSide, head: ResolvedSide, machines: ReadonlyMap<string, string>): string[] {
  const notes: string[] = [];
  const own = new Set(base.runs.map(({ id }) => id));
  const shared = head.runs.filter(({ id }) => own.has(id)).length;
  if (shared > 0) notes.push(`${counted(shared, 'run')} on both sides: their values cancel out.`);
  const ids = (side: ResolvedSide) => [...new Set(side.runs.map(({ machineId }) => machineId ?? ''))].sort();
  if (ids(base).join() !== ids(head).join()) {
    const names = [base, head].map((side) => ids(side).map((id) => machines.get(id) ?? 'an unknown machine'));
    notes.push(
      `The sides ran on different machines (${names.map((some) => some.join(', ')).join(' and ')}): a difference may be theirs.`,
    );
  }
  for (const { state, id } of [...base.runs, ...head.runs])
    if (state === 'interrupted') notes.push(`The run ${id} was interrupted: some of its values are missing.`);
  return notes;
}

/** Six digits of an interval are more than anybody can use; the values themselves stay exact. */
function compact(row: ComparedRow): ComparedRow {
  const { shift, change, p, adjustedP } = row;
  return {
    ...row,
    ...(shift && { shift: compactShift(shift) }),
    ...(change !== undefined && { change: sixDigits(change) }),
    ...(p !== undefined && { p: sixDigits(p) }),
    ...(adjustedP !== undefined && { adjustedP: sixDigits(adjustedP) }),
  };
}

function compactShift({ difference, low, high, level, relative }: Shift): Shift {
  return {
    ...{ difference: sixDigits(difference), low: sixDigits(low), high: sixDigits(high), level },
    ...(relative && {
      relative: {
        change: sixDigits(relative.change),
        low: sixDigits(relative.low),
        high: sixDigits(relative.high),
      },
    }),
  };
}

function sixDigits(value: number): number {
  return Number(value.toPrecision(6));
}

/** Earlier runs for the noise: with twice as many an interval would be 3 % narrower, and cost twice the reading. */
const PAST = 20;
/** Runs among which they are searched. */
const LOOKED_AT = 200;
const FEW = 5;

/**
 * Runs on the machines of the two sides up to the earlier side, oldest first: what happened between the sides is what is
 * asked about, and no noise. Where there are too few of them, runs after the later side.
 */
async function pastRuns(base: ResolvedSide, head: ResolvedSide, store: Store): Promise<readonly BriefRun[]> {
  const ends = [base, head].map(({ runs }) => runs[0].startedAt);
  const machines = new Set([...base.runs, ...head.runs].map(({ machineId }) => machineId));
  const later = (ends[0] ?? 0) <= (ends[1] ?? 0) ? head : base;
  const compared = new Set(later.runs.map(({ id }) => id));
  const isUsable = (run: BriefRun) => machines.has(run.machineId) && !compared.has(run.id);
  const before = await valueRuns(store, { limit: LOOKED_AT, before: Math.min(...ends) + 1 });
  const past = before.filter(isUsable).slice(0, PAST);
  if (past.length >= FEW) return past.reverse();
  const known = await valueRuns(store, { limit: LOOKED_AT });
  const after = known.filter((run) => run.startedAt > Math.max(...ends) && isUsable(run)).slice(0, PAST);
  return after.length > past.length ? after.reverse() : past.reverse();
}

const MESSAGE_LENGTH = 300;

/** Experiments that failed in every run that had them. */
function alwaysFailed(trials: readonly Trial[]): ReadonlySet<string> {
  const [failed, others] = [new Set<string>(), new Set<string>()];
  for (const { task, kind, state } of trials) {
    if (kind !== 'experiment' || state === 'inactive' || state === 'skipped') continue;
    (state === 'failed' ? failed : others).add(task);
  }
  return new Set([...failed].filter((task) => !others.has(task)));
}

/** What failed on one side, by name; runs are newest first. */
function sideFailures(
  side: SideFailure['side'],
  runs: readonly BriefRun[],
  trials: readonly Trial[],
): readonly SideFailure[] {
  const order = new Map(runs.map(({ id }, place) => [id, place]));
  const byTask = new Map<string, Trial[]>();
  for (const trial of trials) {
    if (trial.kind === 'experiment') byTask.set(trial.task, [...(byTask.get(trial.task) ?? []), trial]);
  }
  const failures = [...byTask].flatMap(([experiment, own]): readonly SideFailure[] => {
    const bad = own.filter(({ state }) => state === 'failed');
    bad.sort((a, b) => (order.get(a.runId) ?? 0) - (order.get(b.runId) ?? 0));
    const [newest] = bad;
    if (newest === undefined) return [];
    const { runId, failedStage, message } = newest;
    const facts = { side, experiment, runId, failed: bad.length, of: own.length };
    return [
      {
        ...facts,
        message: message.slice(0, MESSAGE_LENGTH),
        ...(failedStage !== undefined && { failedStage }),
      },
    ];
  });
  return inNaturalOrder(failures, ({ experiment }) => experiment);
}
