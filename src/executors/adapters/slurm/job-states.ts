import { type Answer, callSlurm, callUntilAnswered, isAway } from './call-slurm.ts';

/** What Slurm says of a job: PENDING, RUNNING, COMPLETING, CANCELLED ..., and why. */
export interface JobState {
  readonly state: string;
  readonly reason: string;
}

/** All jobs of ours that have not ended, by their ref. Undefined: no answer. */
export async function liveStates(): Promise<ReadonlyMap<string, JobState> | undefined> {
  const answer = await callSlurm('squeue', ['--me', '-h', '-r', '-o', FORMAT]);
  isAway(answer); // says so
  return readStates(answer);
}

/** How jobs ended that are not among the living, where anybody still knows; one call for all of one moment. */
export function finalState(ref: string): Promise<JobState | undefined> {
  asked ??= {
    refs: new Set(),
    answer: new Promise((resolve) => setTimeout(() => resolve(askFinalStates()), 20)),
  };
  asked.refs.add(ref);
  return asked.answer.then((states) => states.get(ref));
}

/** The exit code of a job that left no file behind: "0:9" is signal 9. */
export async function exitCodeOf(ref: string): Promise<readonly [code: number, signal: number] | undefined> {
  const { stdout } = await callUntilAnswered('scontrol', ['-o', 'show', 'job', ref]);
  const found = /\bExitCode=(\d+):(\d+)/.exec(stdout) ?? /\|(\d+):(\d+)$/m.exec(await accounted([ref]));
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}

const FORMAT = '%i|%T|%r';
let asked:
  | { readonly refs: Set<string>; readonly answer: Promise<ReadonlyMap<string, JobState>> }
  | undefined;

async function askFinalStates(): Promise<ReadonlyMap<string, JobState>> {
  const refs = [...(asked?.refs ?? [])];
  asked = undefined;
  const ids = [...new Set(refs.map((ref) => ref.split('_')[0] ?? ref))].join(',');
  const answer = await callUntilAnswered('squeue', ['-h', '-r', '-t', 'all', '-j', ids, '-o', FORMAT]);
  const states = new Map(readStates(answer)); // an error means that none of them is known
  const missing = refs.filter((ref) => !states.has(ref));
  if (missing.length === 0) return states;
  for (const line of (await accounted(missing)).split('\n')) {
    const [ref = '', state = ''] = line.split('|');
    // "CANCELLED by 1000"
    if (ref !== '') states.set(ref, { state: state.split(' ')[0] ?? '', reason: 'None' });
  }
  return states;
}

/** Where a cluster has no accounting there is nothing. */
async function accounted(refs: readonly string[]): Promise<string> {
  const args = ['-n', '-P', '-X', '-j', refs.join(','), '-o', 'JobID,State,ExitCode'];
  const { code, stdout } = await callSlurm('sacct', args);
  return code === 0 ? stdout : '';
}

/** What squeue printed; undefined: it failed. */
export function readStates({ code, stdout }: Answer): ReadonlyMap<string, JobState> | undefined {
  if (code !== 0) return undefined;
  const states = new Map<string, JobState>();
  for (const line of stdout.split('\n')) {
    const [ref, state = '', ...reason] = line.split('|');
    if (ref) states.set(ref, { state, reason: reason.join('|') });
  }
  return states;
}
