import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setLongTimer } from '../../../platform/adapters/long-timer.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Command, Execution, Exit } from '../../core/executor.ts';
import { captureOutput, LogFile } from '../command-output.ts';
import { endProcesses, isGroupAlive, killGroup } from './process-tree.ts';

/** How long a tree may take to end by itself after SIGTERM. */
export const GRACE_MS = 2_000;
/** How long to wait for the last output after the tree is gone: another process may hold the pipe open. */
const DRAIN_TIMEOUT_MS = 250;

/** Starts a command as a child of this process, at the head of a process group of its own. */
export function startProcess(command: Command, signal: CancelSignal): Execution {
  // Inherited by every descendant: finds those that leave the process group.
  const token = `NIGHTMARK_TOKEN=${randomBytes(8).toString('hex')}`;
  const log = new LogFile(command.logFile, command.stdoutFile);
  const { graceMs = GRACE_MS } = command;
  let reason: Exit | undefined;
  let kill = () => {};

  const ended = new Promise<Exit>((resolve) => {
    let child: ChildProcess;
    try {
      const [program, ...args] = pinned(command);
      const [key, value] = token.split('=') as [string, string];
      const env = { ...command.env, [key]: value };
      child = spawn(program, args, {
        cwd: command.cwd,
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    } catch (error) {
      resolve(notStarted(command, error as Error));
      return;
    }
    const drained = captureOutput(child, log, command.onOutput);

    let ending: Promise<unknown> | undefined;
    const end = (why: Exit) => {
      reason ??= why;
      ending ??= endProcesses({ group: child.pid, environment: token }, graceMs);
    };
    const cancel = () => end({ type: 'cancelled' });
    kill = cancel;
    signal.addEventListener('abort', cancel, { once: true });
    const { timeoutMs } = command;
    const timer =
      timeoutMs === undefined
        ? undefined
        : setLongTimer(timeoutMs, () => end({ type: 'timeout', afterMs: timeoutMs }));
    const finish = (exit: Exit) => {
      timer?.cancel();
      signal.removeEventListener('abort', cancel);
      resolve(reason ?? exit);
    };

    child.on('error', (error) => finish(notStarted(command, error)));
    child.on('exit', async (code, signalName) => {
      const exit: Exit = signalName
        ? { type: 'signal', signal: signalName }
        : { type: 'code', code: code ?? 0 };
      const closed = new Promise((done) => child.once('close', done));
      // The usual case costs one system call: the leader is gone and its group with it.
      if (ending) await ending;
      else if (isGroupAlive(child.pid)) await endProcesses({ group: child.pid, environment: token }, graceMs);
      await drained();
      await Promise.race([closed, delay(DRAIN_TIMEOUT_MS)]);
      child.stdout?.destroy();
      child.stderr?.destroy();
      finish(exit);
    });
    if (signal.aborted) cancel();
    process.on('exit', killNow);
    child.on('exit', () => process.off('exit', killNow));
    function killNow() {
      killGroup(child.pid, 'SIGKILL');
    }
  });

  return {
    wait: async () => {
      const exit = await ended;
      return { exit, logBytes: log.close() };
    },
    kill: () => kill(),
  };
}

function pinned({ argv, pinning }: Command): readonly [string, ...string[]] {
  if (!pinning) return argv;
  return pinning.type === 'list'
    ? ['taskset', '--cpu-list', pinning.cores, ...argv]
    : ['taskset', pinning.mask, ...argv];
}

function notStarted({ argv, cwd, pinning }: Command, error: Error): Exit {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && !existsSync(cwd))
    return { type: 'not-started', reason: `the folder ${cwd} does not exist` };
  if (code === 'ENOENT' && pinning)
    return { type: 'not-started', reason: 'taskset was not found (package util-linux)' };
  return { type: 'not-started', reason: `${argv[0]}: ${error.message}` };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
