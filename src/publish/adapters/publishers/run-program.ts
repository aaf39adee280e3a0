import { spawn } from 'node:child_process';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: CancelSignal;
  /** What it reads. */
  readonly input?: AsyncIterable<Uint8Array | string>;
  /** How to get it. */
  readonly install: string;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  /** The last lines of stderr, without passwords of addresses. */
  readonly stderr: string;
}

/** Runs a program without a shell, to its end. */
export async function runProgram(
  argv: readonly [string, ...string[]],
  options: ProgramOptions,
): Promise<Ended> {
  const { cwd, env, signal, input, install } = options;
  const [program, ...args] = argv;
  const child = spawn(program, args, { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  const stop = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  const out: Buffer[] = [];
  let err = '';
  child.stdout.on('data', (piece: Buffer) => out.push(piece));
  child.stderr.on('data', (piece: Buffer) => {
    err = `${err}${piece.toString()}`.slice(-STDERR_BYTES);
  });
  child.stdin.on('error', () => undefined); // it ended before reading everything: its exit code says why
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', (cause) => reject(missing(program, install, cause)));
    child.on('close', (code) => resolve(code ?? -1));
  });
  try {
    const [code] = await Promise.all([ended, feed(child.stdin, input)]);
    if (signal.aborted) throw interrupted();
    return { code, stdout: Buffer.concat(out).toString(), stderr: withoutSecrets(err).trim() };
  } finally {
    signal.removeEventListener('abort', stop);
    if (child.exitCode === null) child.kill('SIGTERM');
  }
}

async function feed(
  stdin: NodeJS.WritableStream & { destroyed?: boolean },
  input: AsyncIterable<Uint8Array | string> | undefined,
): Promise<void> {
  for await (const piece of input ?? []) {
    if (stdin.destroyed) return;
    // A piece is valid only until the next one is read, and a pipe keeps its buffers: copy.
    const kept = typeof piece === 'string' ? piece : Buffer.from(piece);
    if (!stdin.write(kept))
      await new Promise((resolve) => onceAny(stdin, ['drain', 'close', 'error'], resolve));
  }
  stdin.end();
}

function onceAny(
  stream: NodeJS.EventEmitter,
  events: readonly string[],
  listener: (value?: unknown) => void,
): void {
  const done = () => {
    for (const event of events) stream.removeListener(event, done);
    listener();
  };
  for (const event of events) stream.on(event, done);
}

const STDERR_BYTES = 2_000;

/** User and password of an address stay out of messages. */
export function withoutSecrets(text: string): string {
  return text.replace(/:\/\/[^\s/@]*@/g, '://***@');
}

function missing(program: string, install: string, cause: Error): NightmarkError {
  return new NightmarkError('PUBLISH_NO_PROGRAM', `${program} could not be started: ${messageOf(cause)}`, {
    hint: install,
    cause,
  });
}

export function interrupted(): NightmarkError {
  return new NightmarkError('PUBLISH_INTERRUPTED', 'The publication was interrupted.', {
    hint: 'The earlier site is still in place. Publish again.',
  });
}
