import { callProgram, findProgram, type ProgramOutput } from '../../../platform/adapters/programs.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { ContainerPlace } from '../../core/executor.ts';

/** In the order in which they are searched. */
const ENGINES = ['docker', 'podman'] as const;
const MAX_CHARACTERS = 1024 * 1024;
/** A call that takes longer is killed; a pull may take its time. */
const CALL_TIMEOUT_MS = 120_000;
const PULL_MS = 3_600_000;

/** The requested engine, or the first that is installed. */
export function engineOf({ engine }: { readonly engine?: string | undefined }): string {
  return engine ?? ENGINES.find(isInstalled) ?? ENGINES[0];
}

function isInstalled(program: string): boolean {
  return findProgram(program, process.env['PATH'] ?? '') !== undefined;
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

export async function callEngine(
  engine: string,
  args: readonly string[],
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<ProgramOutput> {
  try {
    return await callProgram(engine, args, { timeoutMs, maxCharacters: MAX_CHARACTERS });
  } catch (error) {
    throw noEngine(engine, error as Error);
  }
}

export function engineFailed(engine: string, doing: string, { code, stderr }: ProgramOutput): NightmarkError {
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
