import type { HistoryPoint } from './analysis.ts';

/** A recorded change for the worse that nobody has accepted: what came since is no reference. */
export interface OpenRegression {
  readonly id: string;
  readonly kpi: string;
  /** The test at which it begins. */
  readonly testId: string;
}

export interface HeldHistory {
  readonly history: readonly HistoryPoint[];
  readonly notes: readonly string[];
}

/**
 * The history that a KPI may be held against: it ends before the first regression that is still open, so that a bad level
 * is not learned by waiting. Where that is all there is, it stays whole.
 */
export function holdHistory(
  kpi: string,
  history: readonly HistoryPoint[],
  open: readonly OpenRegression[],
): HeldHistory {
  const begins = new Map(open.filter((one) => one.kpi === kpi).map(({ testId, id }) => [testId, id]));
  const place = begins.size === 0 ? -1 : history.findIndex(({ testId }) => begins.has(testId));
  if (place <= 0) return { history, notes: [] };
  const first = history[place] as HistoryPoint; // place is in it
  const id = begins.get(first.testId) ?? '';
  const note = `The reference ends before ${first.name}: a regression begins there that nobody has accepted (${id}). If it is meant: nightmark changes triage ${id} --state expected`;
  return { history: history.slice(0, place), notes: [note] };
}
