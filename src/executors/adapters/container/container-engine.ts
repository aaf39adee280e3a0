import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { ContainerPlace } from '../../core/executor.ts';

/** Exit code and output of a call of the engine. */
export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** In the order in which they are looked for. */
const ENGINES = ['docker', 'podman'] as const;
const MAX_CHARACTERS = 1024 * 1024;
/** A call that takes longer is killed; a pull may take its time. */
const CALL_TIMEOUT_MS = 120_000;
const PULL_MS = 3_600_000;

/** The engine that was asked for, or the first that is installed. */
export function engineOf({ engine }: { readonly engine?: string | undefined }): string {
  return engine ?? ENGINES.find(isInstalled) ?? ENGINES[0];
}

function isInstalled(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Pulls the image where it is not there yet. */
export async function prepareImage(place?: ContainerPlace): Promise<void> {
  if (place === undefined) return;
  const { image } = place;
  const engine = engineOf(place);
  if (image === '' || image.startsWith('-') || image.includes('\0')) throw noImage(image);
  if ((await callEngine(engine, ['image', 'inspect', image])).code === 0) return;
  const pulled = await callEngine(engine, ['pull', '-q', image], PULL_MS);
  if (pulled.code !== 0) throw engineFailed(engine, `get the image ${image}`, pulled);
}

/**
 * Calls the engine and waits for its answer. The client leads a session of its own: what a terminal sends on Ctrl-C must
 * not end a removal half-way. Its stdin stays open, for scripts that wait with `read -t`.
 */
export function callEngine(
  engine: string,
  args: readonly string[],
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(engine, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const answer = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (answer[name].length < MAX_CHARACTERS) answer[name] += text;
      });
    }
    child.stdin.on('error', () => {}); // It ended first; its exit code says how.
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(noEngine(engine, error));
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      const late = { stderr: `no answer within ${timeoutMs / 1000} s` };
      resolve({ code: code ?? -1, ...answer, ...(code === null && late) });
    });
  });
}

export function engineFailed(engine: string, doing: string, { code, stderr }: Answer): NightmarkError {
  const reason = stderr.trim().split('\n').at(-1) || `exit code ${code}`;
  return new NightmarkError('RUN_ENGINE_FAILED', `${engine} could not ${doing}: ${reason}`, {
    hint: `Try the same by hand; "${engine} info" shows whether the engine works at all. Another one: --engine.`,
  });
}

export function noImage(image: string): NightmarkError {
  return new NightmarkError('RUN_ENGINE_FAILED', `Invalid image: "${image}".`, {
    hint: 'For example: --image docker.io/library/debian:12. It needs bash.',
  });
}

function noEngine(engine: string, cause: Error): NightmarkError {
  const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
  const why = isMissing ? 'is not installed' : `cannot be started: ${messageOf(cause)}`;
  return new NightmarkError('RUN_NO_ENGINE', `The engine "${engine}" ${why}.`, {
    hint: `Install ${ENGINES.join(' or ')}, name another engine, or run the commands as processes of this machine.`,
    cause,
  });
}

/** The label of our containers, by which they are found again. */
export const RUN_LABEL = 'nightmark.run';

/** Removes the containers of a run, whichever engine runs them. Returns how many. */
export async function endLeftovers(runId: string): Promise<number> {
  let count = 0;
  for (const engine of ENGINES.filter(isInstalled)) {
    for (const id of await containersOf(engine, runId)) {
      if ((await callEngine(engine, ['rm', '-f', '-v', id])).code === 0) count++;
    }
  }
  return count;
}

/** An engine that does not answer has none. */
async function containersOf(engine: string, runId: string): Promise<readonly string[]> {
  const filter = `label=${RUN_LABEL}=${runId}`;
  try {
    const { code, stdout } = await callEngine(engine, ['ps', '-a', '-q', '--no-trunc', '--filter', filter]);
    return code === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
  } catch (error) {
    if (error instanceof NightmarkError) return [];
    throw error;
  }
}
