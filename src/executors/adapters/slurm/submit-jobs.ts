import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProgramOutput } from '../../../platform/adapters/programs.ts';
import { messageOf } from '../../../platform/core/errors.ts';
import type { Command } from '../../core/executor.ts';
import type { Resources, SlurmPlace } from '../../core/place.ts';
import { batchScript } from './batch-script.ts';
import { callSlurm, errorText, isUnavailable } from './call-slurm.ts';
import { stage, stagingOf } from './staging.ts';

/** Commands that come within this time, and request the same, become one array. */
const GATHER_MS = 5;
/** The script names every folder, and Slurm takes scripts up to 4 MB. */
const MOST_TASKS = 1_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export type Submitted =
  | { readonly state: 'taken'; readonly ref: string }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'cancelled' };

interface Waiting {
  readonly command: Command;
  readonly isCancelled: () => boolean;
  readonly resolve: (submitted: Submitted) => void;
}

let waiting: Waiting[] = [];

/** Submits a command to Slurm, together with others that come at the same time. Never rejects. */
export function submitCommand(command: Command, isCancelled: () => boolean): Promise<Submitted> {
  return new Promise((resolve) => {
    if (waiting.length === 0) setTimeout(submitWaiting, GATHER_MS);
    waiting.push({ command, isCancelled, resolve });
  });
}

async function submitWaiting(): Promise<void> {
  const groups = new Map<string, Waiting[]>();
  for (const it of waiting) {
    const key = JSON.stringify(sharedOptions(it.command));
    const group = groups.get(key);
    if (group) group.push(it);
    else groups.set(key, [it]);
  }
  waiting = [];
  for (const group of groups.values()) {
    const size = group.length > 1 ? await mostTasks() : 1;
    for (let at = 0; at < group.length; at += size) await submitGroup(group.slice(at, at + size));
  }
}

async function submitGroup(group: readonly Waiting[]): Promise<void> {
  const wanted: Waiting[] = [];
  for (const it of group) {
    if (it.isCancelled()) it.resolve({ state: 'cancelled' });
    else
      await stage(it.command).then(
        () => wanted.push(it),
        (error) => it.resolve({ state: 'refused', reason: messageOf(error) }),
      );
  }
  if (wanted.length === 0) return;
  const isOver = () => wanted.every(({ isCancelled }) => isCancelled());
  const submitted = await submitAll(
    wanted.map(({ command }) => command),
    isOver,
  );
  wanted.forEach(({ resolve }, task) => {
    const isArray = submitted.state === 'taken' && wanted.length > 1;
    resolve(isArray ? { ...submitted, ref: `${submitted.ref}_${task}` } : submitted);
  });
}

async function submitAll(commands: readonly Command[], isOver: () => boolean): Promise<Submitted> {
  const token = randomBytes(6).toString('hex');
  const runIds = commands.map(({ env }) => env['NIGHTMARK_RUN_ID'] ?? '');
  const args = sbatchArguments(commands, `nightmark:${token}:${commonOf(runIds)}`);
  const script = batchScript(commands.map(stagingOf), runIds);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const answer = await callSlurm('sbatch', args, { stdin: script });
    if (!isUnavailable(answer)) return resultOf(answer);
    // A lost answer is not a lost submission: twice the same job would be worse than a late one.
    const found = await findSubmitted(token, isOver);
    if (found !== undefined) return { state: 'taken', ref: found };
    if (isOver()) return { state: 'cancelled' };
    await sleep(pauseMs);
  }
}

function resultOf(answer: ProgramOutput): Submitted {
  const id = /^(\d+)/.exec(answer.stdout.trim())?.[1];
  if (answer.code === 0 && id !== undefined) return { state: 'taken', ref: id };
  const isMissing = answer.code === 127 && /ENOENT/.test(answer.stderr);
  return {
    state: 'refused',
    reason: isMissing ? 'sbatch is not installed here' : `sbatch: ${errorText(answer)}`,
  };
}

function sbatchArguments(commands: readonly Command[], comment: string): readonly string[] {
  const [first] = commands as readonly [Command];
  return [
    ...['--parsable', '--no-requeue', '--export=ALL', '--output=/dev/null', '--error=/dev/null'],
    ...[`--job-name=${jobName(commands)}`, `--comment=${comment}`, `--chdir=${dirname(first.logFile)}`],
    ...(commands.length > 1 ? [`--array=0-${commands.length - 1}`] : []),
    ...sharedOptions(first),
  ];
}

/** A comment has room for one id; those of an array are in its script. */
function commonOf(runIds: readonly string[]): string {
  const [first = ''] = runIds;
  const id = encodeURIComponent(first);
  return runIds.every((it) => it === first) && id.length < 900 ? id : '*';
}

async function findSubmitted(token: string, isOver: () => boolean): Promise<string | undefined> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const answer = await callSlurm('squeue', ['--me', '-h', '-t', 'all', '-o', '%F|%k']);
    if (answer.code === 0)
      return answer.stdout
        .split('\n')
        .find((line) => line.includes(`|nightmark:${token}:`))
        ?.split('|')[0];
    if (isOver() || !isUnavailable(answer)) return undefined;
    await sleep(pauseMs);
  }
}

let arrayLimit: Promise<number> | undefined;

/** MaxArraySize is one more than the highest number of a task. */
function mostTasks(): Promise<number> {
  arrayLimit ??= callSlurm('scontrol', ['show', 'config']).then(({ stdout }) => {
    const size = /^MaxArraySize\s*=\s*(\d+)/m.exec(stdout)?.[1];
    if (size === undefined) arrayLimit = undefined;
    return Math.max(1, Math.min(MOST_TASKS, Number(size ?? 1)));
  });
  return arrayLimit;
}

/** Options of sbatch that commands must share to become one array. */
function sharedOptions({ resources = {}, place, tasks = 1, after = [] }: Command): readonly string[] {
  return [
    ...(tasks > 1 ? [`--ntasks=${tasks}`] : []),
    // A dependency that failed would otherwise be waited for forever.
    ...(after.length > 0 ? [`--dependency=afterok:${after.join(':')}`, '--kill-on-invalid-dep=yes'] : []),
    ...resourceOptions(resources, place?.slurm ?? {}),
  ];
}

/** What is requested of the nodes; options of the user come last, and win. */
export function resourceOptions(
  { cpus, memoryBytes, gpus, timeMs }: Resources,
  { partition, account, qos, constraint, options = [] }: SlurmPlace,
): readonly string[] {
  return [
    ...(cpus === undefined ? [] : [`--cpus-per-task=${Math.max(1, Math.ceil(cpus))}`]),
    ...(memoryBytes === undefined ? [] : [`--mem=${Math.max(1, Math.ceil(memoryBytes / 1024 / 1024))}M`]),
    ...(gpus ? [`--gres=gpu:${Math.ceil(gpus)}`] : []),
    // Slurm counts in minutes. Where the command has a timeout of its own, the batch script keeps it to the millisecond.
    ...(timeMs === undefined ? [] : [`--time=${Math.max(1, Math.ceil(timeMs / 60_000))}`]),
    ...Object.entries({ partition, account, qos, constraint }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}=${value}`],
    ),
    ...options,
  ];
}

/** One name for all: their own where it is the same, else how they all begin. */
export function jobName(commands: readonly Pick<Command, 'title'>[]): string {
  const [first = '', ...others] = commands.map(({ title = '' }) => title);
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  const legal = first
    .slice(0, length)
    .replace(/[^\w.+=:@-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return legal.slice(0, 100) || 'nightmark';
}
