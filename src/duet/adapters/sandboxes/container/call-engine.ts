import { spawn } from 'node:child_process';
import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';

/** Output and exit code of a client of the engine. */
export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface EngineCall {
  readonly engine: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The engine is taken for hung after this time. */
const ENGINE_TIMEOUT_MS = 120_000;

/**
 * Calls the engine and waits for its answer. The client leads a session of its own: what a terminal sends on Ctrl-C
 * must not end a copy or a removal half-way. Its stdin stays open, for scripts that wait with `read -t`.
 */
export function callEngine(
  { engine, env }: EngineCall,
  args: readonly string[],
  { timeoutMs = ENGINE_TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(engine, args, { env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const answer = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (answer[name].length < MAX_CHARACTERS) answer[name] += text;
      });
    }
    child.stdin.on('error', () => {}); // It ended first; its exit code is reported.
    let isTooLate = false;
    const timer = setTimeout(() => {
      isTooLate = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(cannotStart(engine, error));
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      const late = `no answer within ${timeoutMs / 1000} s`;
      resolve({ code: code ?? -1, ...answer, ...(isTooLate && { stderr: late }) });
    });
  });
}

const MAX_CHARACTERS = 1024 * 1024;

export function engineFailed(
  doing: string,
  { engine }: EngineCall,
  { code, stderr }: Answer,
): NightmarkError {
  const lastLine = stderr.trim().split('\n').at(-1) ?? '';
  return new NightmarkError(
    'DUET_ENGINE_FAILED',
    `${engine} could not ${doing}: ${lastLine || `exit code ${code}`}`,
    {
      hint: `Try the same by hand; "${engine} info" shows whether the engine works at all.`,
    },
  );
}

function cannotStart(engine: string, error: Error): NightmarkError {
  const { code } = error as NodeJS.ErrnoException;
  const why = code === 'ENOENT' ? 'is not installed' : `cannot be started: ${messageOf(error)}`;
  return new NightmarkError('DUET_NO_ENGINE', `The engine "${engine}" ${why}.`, {
    hint: 'Install it, choose another with -d podman or docker_command, or leave out "image" to run local processes.',
    cause: error,
  });
}
