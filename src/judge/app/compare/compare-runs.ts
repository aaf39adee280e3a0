import type { CommitLog } from '../../../git/core/commit-log.ts';
import type { Shift } from '../../../home/core/changes/change.ts';
import type { BriefRun, Trial } from '../../../home/core/run.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { COMPARE_DEFAULTS, type CompareOptions, compareSeries } from '../../core/compare/compare-series.ts';
import { type ComparedRow, countRows } from '../../core/compare/compared-row.ts';
import type { CompareView, SideRun, SideView } from './compare-view.ts';
import { pastRuns } from './past-runs.ts';
import { readDifferences } from './read-differences.ts';
import { readSides } from './read-sides.ts';
import type { CompareEffects, ResolvedSide } from './resolve-side.ts';
import { machineNames } from './run-book.ts';
import { onSharedMachines } from './shared-machines.ts';
import { alwaysFailed, sideFailures } from './side-failures.ts';
import { type AskedSides, resolveSides } from './usual-sides.ts';

export interface CompareRequest extends AskedSides {
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
  const asked = { withDetails: request.withDetails ?? false, failed: alwaysFailed(trials.head) };
  const { sides, details } = await readSides({ base: base.runs, head: head.runs, past }, asked, store);
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
  if (shared > 0) notes.push(`${counted(shared, 'run')} on both sides: what they say cancels out.`);
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
