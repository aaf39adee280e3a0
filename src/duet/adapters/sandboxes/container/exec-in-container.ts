import type { Executed, Executor, Exit } from '../../../../executors/core/executor.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import type { SandboxCommand } from '../../../core/sandbox.ts';
import { GRACE_MS } from '../defaults.ts';
import { callEngine, type EngineCall } from './call-engine.ts';
import { STOP_TREE } from './stop-tree.ts';

export interface ExecRequest {
  readonly call: EngineCall;
  readonly name: string;
  readonly command: SandboxCommand;
  readonly executor: Executor;
}

export interface ContainerExecution {
  wait(): Promise<Executed>;
  kill(): void;
  /** The container is gone: ends the client that still waits for it. */
  abandon(): void;
}

/**
 * Runs a command by "exec". Ending the client would end nothing inside: the tree is stopped by a script in the
 * container, and the client then ends by itself.
 */
export function execInContainer(
  { call, name, command, executor }: ExecRequest,
  signal: CancelSignal,
): ContainerExecution {
  const { logFile, timeoutMs, graceMs = GRACE_MS } = command;
  const client = executor.start(
    { argv: execArguments(call.engine, name, command), cwd: process.cwd(), env: call.env, logFile },
    NEVER,
  );
  let reason: Exit | undefined;
  let stopping: Promise<void> | undefined;
  const end = (why: Exit) => {
    reason ??= why;
    stopping ??= stopTree({ call, name, graceMs, ended, giveUp: () => client.kill() });
  };
  const cancel = () => end({ type: 'cancelled' });
  signal.addEventListener('abort', cancel, { once: true });
  const timer =
    timeoutMs === undefined
      ? undefined
      : after(timeoutMs, () => end({ type: 'timeout', afterMs: timeoutMs }));

  const ended: Promise<Executed> = client.wait().finally(() => {
    timer?.cancel();
    signal.removeEventListener('abort', cancel);
  });
  const settled = ended.then(async (executed) => {
    await stopping;
    return reason ? { ...executed, exit: reason } : executed;
  });
  if (signal.aborted) cancel();
  return { wait: () => settled, kill: cancel, abandon: () => client.kill() };
}

/** Never cancelled: we do it ourselves, from inside. */
const NEVER: CancelSignal = { aborted: false, addEventListener() {}, removeEventListener() {} };
/** The tree is gone, or the engine does not answer: the client has this long to notice. */
const LAST_WORDS_MS = 5_000;

function execArguments(
  engine: string,
  name: string,
  { command, env }: SandboxCommand,
): [string, ...string[]] {
  const variables = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  return [engine, 'exec', ...variables, name, 'bash', '-c', command];
}

interface StopRequest {
  readonly call: EngineCall;
  readonly name: string;
  readonly graceMs: number;
  readonly ended: Promise<Executed>;
  giveUp(): void;
}

async function stopTree({ call, name, graceMs, ended, giveUp }: StopRequest): Promise<void> {
  const steps = Math.ceil(graceMs / 50);
  const patienceMs = graceMs + 30_000;
  try {
    await callEngine(call, ['exec', '-i', name, 'bash', '-c', STOP_TREE, 'stop', name, `${steps}`], {
      patienceMs,
    });
  } finally {
    const timer = after(LAST_WORDS_MS, giveUp);
    void ended.finally(() => timer.cancel());
  }
}

/** setTimeout takes at most 2^31 - 1 ms, about 24.8 days. */
function after(ms: number, callback: () => void): { cancel(): void } {
  const MAX = 2 ** 31 - 1;
  let timer: NodeJS.Timeout;
  const wait = (left: number) => {
    timer = setTimeout(() => (left > MAX ? wait(left - MAX) : callback()), Math.min(left, MAX));
  };
  wait(ms);
  return { cancel: () => clearTimeout(timer) };
}
