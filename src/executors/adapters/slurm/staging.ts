import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Command } from '../../core/executor.ts';

/** How long a tree may take to end by itself after SIGTERM. */
const GRACE_MS = 2_000;
/** Linux takes no longer argument (MAX_ARG_STRLEN). */
const MOST_BYTES = 128 * 1024;

/** Where a command and its node exchange files: beside its log, so that a later process finds them again. */
export function stagingOf({ logFile }: Command): string {
  return join(dirname(logFile), `.slurm-${basename(logFile)}`);
}

/** Writes what the batch script reads. The folder must be on a file system that the nodes share. */
export async function stage(command: Command): Promise<void> {
  const { argv, cwd, env, graceMs = GRACE_MS, timeoutMs, tasks = 1 } = command;
  const folder = stagingOf(command);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 }); // the environment may hold secrets
  const entries = Object.entries(env).map(([key, value]) => `${key}=${value}\0`);
  await writeFile(join(folder, 'env'), entries.join(''));
  await writeFile(join(folder, 'argv'), [cwd, ...argv].map((text) => `${text}\0`).join(''));
  const token = randomBytes(8).toString('hex');
  const timeout = timeoutMs === undefined ? '' : (timeoutMs / 1000).toFixed(3);
  await writeFile(join(folder, 'settings'), `${token}\n${Math.ceil(graceMs / 50)}\n${timeout}\n${tasks}\n`);
}

export async function unstage(command: Command): Promise<void> {
  // On NFS a file that a node has still open comes back under another name for a short time.
  await rm(stagingOf(command), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(
    () => {},
  );
}

/** What the script left at its end: a keyword, the exit code of the command, and the node. */
export interface Ending {
  readonly how: string;
  readonly code: number;
  readonly host: string;
}

export async function readEnding(command: Command): Promise<Ending | undefined> {
  try {
    const text = await readFile(join(stagingOf(command), 'end'), 'utf8');
    const [how = '', code = '', host = ''] = text.trim().split(' ');
    return { how, code: Number(code), host };
  } catch {
    return undefined; // not yet
  }
}

/** Why a command cannot even be submitted. */
export function whyNotRunnable({ argv, cwd, env }: Command): string | undefined {
  if (!existsSync(cwd)) return `the folder ${cwd} does not exist`;
  if ([...argv, ...Object.entries(env).flat()].some((text) => text.includes('\0')))
    return 'an argument or a variable has a NUL in it';
  const long = [...argv, ...Object.entries(env).map((entry) => entry.join('='))].find(
    (text) => Buffer.byteLength(text) >= MOST_BYTES,
  );
  if (long !== undefined)
    return `an argument or a variable of ${Buffer.byteLength(long)} bytes is too long for Linux`;
  const odd = Object.keys(env).find((key) => key === '' || key.includes('='));
  if (odd !== undefined) return `"${odd}" cannot be the name of a variable`;
  if (argv[0] === '' || argv[0].includes('=')) return `"${argv[0]}" cannot be started by Slurm`;
  return undefined;
}
