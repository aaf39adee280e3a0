import type { Run, Trial } from './run.ts';

/** A search for runs. */
export interface RunFilter {
  readonly kind?: Run['kind'];
  /** "failed": at least one of its tasks did. */
  readonly state?: Run['state'] | 'failed';
  /** Words that all stand somewhere in its names. */
  readonly text?: string;
}

/** What is searched: a run, its machine and its trials. */
export interface FilteredRun {
  readonly run: Pick<Run, 'id' | 'kind' | 'label' | 'project' | 'state' | 'machineId'>;
  readonly machine?: string;
  readonly trials: readonly Pick<Trial, 'task' | 'title' | 'state' | 'commits'>[];
}

export const RUN_KINDS: readonly Run['kind'][] = ['night', 'duet', 'matrix', 'job', 'import'];
export const RUN_STATES = ['finished', 'failed', 'running', 'interrupted'] as const;

/** From a URL or a request: an unknown kind or state is left out. */
export function readRunFilter(
  given: Readonly<Record<'kind' | 'state' | 'text', string | undefined>>,
): RunFilter {
  const kind = RUN_KINDS.find((one) => one === given.kind);
  const state = RUN_STATES.find((one) => one === given.state);
  const text = given.text?.trim() ?? '';
  return { ...(kind && { kind }), ...(state && { state }), ...(text !== '' && { text }) };
}

export function matchesRun(one: FilteredRun, { kind, state, text = '' }: RunFilter): boolean {
  const { run, trials } = one;
  if (kind !== undefined && run.kind !== kind) return false;
  const hasFailed = () => trials.some((trial) => trial.state === 'failed');
  if (state === 'failed' ? !hasFailed() : state !== undefined && run.state !== state) return false;
  const words = wordsOf(text);
  if (words.length === 0) return true;
  const names = namesOf(one).join('\n').toLowerCase();
  return words.every((word) => names.includes(word));
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

function namesOf({ run, machine = '', trials }: FilteredRun): readonly string[] {
  const { id, label, project, machineId = '' } = run;
  const tasks = trials.flatMap(({ task, title = '', commits }) => [task, title, ...Object.values(commits)]);
  return [id, label, project, machine, machineId, ...tasks];
}
