import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Command, Executed, Execution, OutputListener } from '../../core/executor.ts';

/**
 * A small process that starts all others. A fork costs in proportion to the memory of the process that forks
 * (measured: 1.8 ms at 56 MB, 4.5 ms at 107 MB, 22 ms at 310 MB), and ours grows with archives and index. It also
 * ends what it started when we die, even by SIGKILL.
 */
class Launcher {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (executed: Executed) => void>();
  readonly #listeners = new Map<number, OutputListener>();
  readonly ready: Promise<void>;
  #count = 0;
  #isGone = false;

  constructor() {
    const file = fileURLToPath(new URL('./launcher.js', import.meta.url));
    // A session of its own: Ctrl-C reaches us, and we decide what it means for the commands.
    this.#process = fork(file, { detached: true, stdio: 'ignore', execArgv: ['--max-semi-space-size=1'] });
    this.ready = new Promise((resolve) => {
      this.#process.on('message', (reply: LauncherReply) => {
        if (reply.type === 'ready') resolve();
        else if (reply.type === 'ended') this.#finish(reply.id, reply.executed);
        else this.#listeners.get(reply.id)?.(reply.stream, Buffer.from(reply.base64, 'base64'));
      });
      this.#process.once('exit', () => resolve());
    });
    for (const event of ['exit', 'error', 'disconnect']) this.#process.on(event, () => this.#end());
    this.#process.unref();
    this.#process.channel?.unref();
  }

  /** Keeps us alive until it is there. */
  async untilReady(): Promise<void> {
    this.#process.channel?.ref();
    await this.ready;
    if (this.#waiting.size === 0) this.#process.channel?.unref();
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  start({ onOutput, ...command }: Command): { readonly id: number; readonly executed: Promise<Executed> } {
    const id = this.#count++;
    const executed = new Promise<Executed>((resolve) => this.#waiting.set(id, resolve));
    if (onOutput) this.#listeners.set(id, onOutput);
    this.#process.channel?.ref();
    this.#send({ type: 'start', id, command, hasListener: onOutput !== undefined });
    return { id, executed };
  }

  kill(id: number): void {
    if (this.#waiting.has(id)) this.#send({ type: 'kill', id });
  }

  #send(request: LauncherRequest): void {
    if (this.#process.connected) this.#process.send(request, (error) => error && this.#end());
    else this.#end();
  }

  #finish(id: number, executed: Executed): void {
    this.#waiting.get(id)?.(executed);
    this.#waiting.delete(id);
    this.#listeners.delete(id);
    if (this.#waiting.size === 0) this.#process.channel?.unref();
  }

  #end(): void {
    this.#isGone = true;
    const exit = {
      type: 'not-started',
      reason: 'the process that starts commands ended unexpectedly',
    } as const;
    for (const id of [...this.#waiting.keys()]) this.#finish(id, { exit, logBytes: 0 });
  }
}

let launcher: Launcher | undefined;

function currentLauncher(): Launcher {
  if (!launcher || launcher.isGone) launcher = new Launcher();
  return launcher;
}

export async function launcherReady(): Promise<void> {
  await currentLauncher().untilReady();
}

export function startInLauncher(command: Command, signal: CancelSignal): Execution {
  if (signal.aborted) {
    return { wait: async () => ({ exit: { type: 'cancelled' }, logBytes: 0 }), kill() {} };
  }
  const current = currentLauncher();
  const { id, executed } = current.start(command);
  const kill = () => current.kill(id);
  signal.addEventListener('abort', kill, { once: true });
  const ended = executed.finally(() => signal.removeEventListener('abort', kill));
  return { wait: () => ended, kill };
}

export type LauncherRequest =
  | { readonly type: 'start'; readonly id: number; readonly command: Command; readonly hasListener: boolean }
  | { readonly type: 'kill'; readonly id: number };

export type LauncherReply =
  | { readonly type: 'ready' }
  | {
      readonly type: 'output';
      readonly id: number;
      readonly stream: 'stdout' | 'stderr';
      readonly base64: string;
    }
  | { readonly type: 'ended'; readonly id: number; readonly executed: Executed };
