import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { Command, CommandContainer, Execution, Exit } from '../../core/executor.ts';
import { LogFile } from '../log-file.ts';
import { setLongTimer } from '../long-timer.ts';
import { callEngine, engineFailed, engineOf, noImage } from './engine.ts';
import { type ExecClient, execIn } from './exec-client.ts';
import { RUN_LABEL } from './leftovers.ts';
import { STOP_ALL } from './stop-all.ts';

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
    const reason = whyNot(this.#command);
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

  /** Before the command runs it is only remembered. */
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

function whyNot({ argv, cwd, env, container }: Command): string | undefined {
  if (!existsSync(cwd)) return `the folder ${cwd} does not exist`;
  if (container && (container.image === '' || container.image.startsWith('-')))
    return noImage(container.image).message;
  const odd = container?.folders.find(({ path }) => /[:,\n]/.test(path));
  if (odd)
    return `the folder ${odd.path} cannot be shared with a container: its name has a sign that engines split at`;
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
