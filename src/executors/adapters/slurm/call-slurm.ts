import { setTimeout as sleep } from 'node:timers/promises';
import { callProgram, type ProgramOutput } from '../../../platform/adapters/programs.ts';
import { messageOf } from '../../../platform/core/errors.ts';

interface Given {
  readonly stdin?: string;
  /** Of the job, below what the programs need themselves. */
  readonly env?: Readonly<Record<string, string>>;
}

export type SlurmProgram = 'sbatch' | 'squeue' | 'scontrol' | 'scancel' | 'sacct';

/** An unavailable controller makes the programs wait nine seconds by themselves; a busy one may need longer. */
const CALL_TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const UNAVAILABLE =
  /unable to contact slurm controller|socket timed out|connect failure|zero bytes were transmitted|connection (refused|reset|timed out)|temporarily unable|no answer within/i;

/** Calls a program of Slurm once. Without a program of that name the code is 127. */
export async function callSlurm(
  program: SlurmProgram,
  args: readonly string[],
  { stdin = '', env = {} }: Given = {},
): Promise<ProgramOutput> {
  const all = { ...env, ...ownEnvironment() };
  try {
    return await callProgram(program, args, { stdin, env: all, timeoutMs: CALL_TIMEOUT_MS });
  } catch (error) {
    return { code: 127, stdout: '', stderr: `${program}: ${messageOf(error)}` };
  }
}

/** Repeats a call while the controller is unavailable, with longer and longer pauses, until `isOver`. */
export async function callUntilAnswered(
  program: SlurmProgram,
  args: readonly string[],
  isOver: () => boolean = () => false,
): Promise<ProgramOutput> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const answer = await callSlurm(program, args);
    if (!isUnavailable(answer) || isOver()) return answer;
    await sleep(pauseMs);
  }
}

let isReportedUnavailable = false;

/** Whether the controller did not answer. It is reported once for each time that this begins. */
export function isUnavailable(answer: ProgramOutput): boolean {
  const unavailable = answer.code !== 0 && UNAVAILABLE.test(answer.stderr);
  if (unavailable && !isReportedUnavailable)
    process.stderr.write(`Slurm does not answer (${errorText(answer)}); trying again until it does.\n`);
  if (unavailable || answer.code === 0) isReportedUnavailable = unavailable;
  return unavailable;
}

/** The last line of its error output, without the name of the program in front. */
export function errorText({ code, stderr }: ProgramOutput): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return lines.at(-1)?.replace(/^\w+: (error: )?/, '') ?? `exit code ${code}`;
}

/**
 * Options of Slurm's programs can come from the environment (SBATCH_PARTITION, SQUEUE_FORMAT), and inside of a job its
 * SLURM_ variables would shape the next one. sbatch passes its environment on to the job: this is all of it.
 */
function ownEnvironment(): Record<string, string> {
  const kept = ['PATH', 'SLURM_CONF', 'SLURM_CLUSTERS', 'SLURM_JWT'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}
