import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { setLongTimer } from '../../../platform/adapters/long-timer.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { Command, CommandContainer, Execution, Exit } from '../../core/executor.ts';
import { captureOutput, LogFile } from '../command-output.ts';
import { callEngine, engineFailed, engineOf, noImage, RUN_LABEL } from './container-engine.ts';

/** How long a tree may take to end by itself after SIGTERM. */
const GRACE_MS = 2_000;

/** A container with an idle shell; the command goes in by "exec", so that it is not the first process, which no signal ends. */
export function startContainer(command: Command, signal: CancelSignal): Execution {
  const log = new LogFile(command.logFile, command.stdoutFile);
  const running = new RunningCommand(command, log);
  const cancel = () => running.end({ type: 'cancelled' });
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const ended = running.run().finally(() => signal.removeEventListener('abort', cancel));
  return { wait: async () => ({ exit: await ended, logBytes: log.close() }), kill: cancel };
}

class RunningCommand {
  readonly #command: Command;
  readonly #log: LogFile;
  readonly #name = `nightmark-${randomBytes(6).toString('hex')}`;
  readonly #engine: string;
  #client: ExecClient | undefined;
  #reason: Exit | undefined;
  #stopping: Promise<void> | undefined;

  constructor(command: Command, log: LogFile) {
    this.#command = command;
    this.#log = log;
    this.#engine = engineOf(command.container ?? {});
  }

  /** Never rejects: what goes wrong is an exit. */
  async run(): Promise<Exit> {
    const { container, timeoutMs } = this.#command;
    const reason = whyNotRunnable(this.#command);
    if (container === undefined || reason !== undefined)
      return { type: 'not-started', reason: reason ?? 'no image was named' };
    try {
      await this.#open(container);
      if (this.#reason) return this.#reason;
      this.#client = execIn({ engine: this.#engine, name: this.#name, command: this.#command }, this.#log);
      const timer =
        timeoutMs === undefined
          ? undefined
          : setLongTimer(timeoutMs, () => this.end({ type: 'timeout', afterMs: timeoutMs }));
      const exit = await this.#client.ended;
      timer?.cancel();
      await this.#stopping;
      return this.#reason ?? exit;
    } catch (error) {
      if (error instanceof NightmarkError) return { type: 'not-started', reason: messageOf(error) };
      throw error;
    } finally {
      await this.#remove();
    }
  }

  /** Before the command runs the reason is only kept. */
  end(why: Exit): void {
    this.#reason ??= why;
    if (this.#client) this.#stopping ??= this.#stop();
  }

  async #open(container: CommandContainer): Promise<void> {
    const answer = await callEngine(this.#engine, runArguments(this.#name, this.#command, container));
    if (answer.code !== 0)
      throw engineFailed(this.#engine, `start a container of ${container.image}`, answer);
  }

  async #stop(): Promise<void> {
    const { graceMs = GRACE_MS } = this.#command;
    const script = [
      'exec',
      '-i',
      this.#name,
      'bash',
      '-c',
      STOP_ALL,
      'stop',
      this.#name,
      `${Math.ceil(graceMs / 50)}`,
    ];
    try {
      await callEngine(this.#engine, script, graceMs + 30_000);
    } finally {
      await this.#remove();
      this.#client?.abandon();
    }
  }

  /** Ends whatever is still in it. */
  async #remove(): Promise<void> {
    try {
      await callEngine(this.#engine, ['rm', '-f', '-v', this.#name]);
    } catch (error) {
      if (!(error instanceof NightmarkError)) throw error; // no engine, no container
    }
  }
}

function whyNotRunnable({ argv, cwd, env, container }: Command): string | undefined {
  if (!existsSync(cwd)) return `the folder ${cwd} does not exist`;
  if (container && (container.image === '' || container.image.startsWith('-')))
    return noImage(container.image).message;
  const odd = container?.folders.find(({ path }) => /[:,\n]/.test(path));
  if (odd)
    return `the folder ${odd.path} cannot be shared with a container: its name has a character at which engines split`;
  const texts = [...argv, ...Object.entries(env).flat()];
  return texts.some((text) => text.includes('\0')) ? 'an argument or a variable has a NUL in it' : undefined;
}

function runArguments(
  name: string,
  { cwd, env }: Command,
  { image, engine, folders }: CommandContainer,
): readonly string[] {
  const runId = env['NIGHTMARK_RUN_ID'];
  const shared = folders.some(({ path }) => path === cwd)
    ? folders
    : [...folders, { path: cwd, isReadOnly: false }];
  return [
    ...['run', '-d', '-i', '--rm', '--name', name],
    // The idle shell ignores SIGTERM: without this a removal waits ten seconds.
    ...['--stop-signal', 'SIGKILL', '-e', `NIGHTMARK_CONTAINER=${name}`],
    ...(runId === undefined ? [] : ['--label', `${RUN_LABEL}=${runId}`, '-e', `NIGHTMARK_RUN_ID=${runId}`]),
    ...shared.flatMap(({ path, isReadOnly }) => ['-v', `${path}:${path}${isReadOnly ? ':ro' : ''}`]),
    ...ownUser(engineOf({ engine })),
    ...['--entrypoint', 'bash', image],
  ];
}

/** With docker, files would belong to root; podman without root makes the first user of an image us. */
function ownUser(engine: string): readonly string[] {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return uid === 0 || !engine.endsWith('docker') ? [] : ['--user', `${uid}:${gid}`];
}

export interface ExecClient {
  readonly ended: Promise<Exit>;
  /** The container is gone: ends the client if it still waits. */
  abandon(): void;
}

export interface ExecRequest {
  readonly engine: string;
  readonly name: string;
  readonly command: Command;
}

/** Runs the command inside and writes its log. */
function execIn({ engine, name, command }: ExecRequest, log: LogFile): ExecClient {
  const { argv, cwd, env } = command;
  const args = ['exec', '-w', cwd, ...variables(env), name, ...argv];
  const child = spawn(engine, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  captureOutput(child, log, command.onOutput);
  const ended = new Promise<Exit>((resolve) => {
    child.on('error', (error) => resolve({ type: 'not-started', reason: `${engine}: ${error.message}` }));
    child.on('close', async (code) => resolve(await exitOf(code, { engine, name, command })));
  });
  return { ended, abandon: () => void child.kill('SIGKILL') };
}

/** What only repeats our own environment is not passed on: see the port. */
function variables(env: Command['env']): readonly string[] {
  const own = Object.entries(env).filter(([key, value]) => process.env[key] !== value);
  return own.flatMap(([key, value]) => ['-e', `${key}=${value}`]);
}

/** Engines report a signal as shells do: 128 and its number. */
async function exitOf(code: number | null, { engine, name, command }: ExecRequest): Promise<Exit> {
  if (code === null) return { type: 'signal', signal: 'SIGKILL' }; // we gave it up
  const number = code - 128;
  const signal = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  if (signal !== undefined) return { type: 'signal', signal };
  // A client that lost its container exits with 255, as a command may too.
  if (code === 255 && (await callEngine(engine, ['container', 'inspect', name])).code !== 0)
    return { type: 'signal', signal: 'SIGKILL' };
  if (code < 125 || code > 127) return { type: 'code', code };
  // The engine's own codes, which a command may have too: was there such a program?
  const [program] = command.argv;
  const asked = await callEngine(engine, ['exec', name, 'bash', '-c', 'type -P -- "$1"', 'ask', program]);
  if (asked.code === 0) return { type: 'code', code };
  return { type: 'not-started', reason: `${program}: no such program in the container` };
}

/**
 * Ends every process of a container but its first: SIGTERM, then up to $2 steps of 50 ms in which they may end by
 * themselves; the container is then removed with what is left. "kill -1" means everybody: where the first process is
 * not that of the container $1, the processes of the machine are shared, and nobody is meant.
 * `read -t` on an open stdin is a sleep that starts no process.
 */
const STOP_ALL = `
while IFS= read -r -d '' entry; do
  [ "$entry" = "NIGHTMARK_CONTAINER=$1" ] && own=1
done 2>/dev/null < /proc/1/environ
[ -n "$own" ] || exit 0
kill -TERM -1 2>/dev/null
for ((i = 0; i < $2; i++)); do
  kill -0 -1 2>/dev/null || exit 0
  read -r -t 0.05 _
done
`;
