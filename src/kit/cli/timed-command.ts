import { type ChildProcess, spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import type { CliContext } from '../../platform/cli/command.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

/** A terminal tells the whole group of a Ctrl-C: only a command that has not heard of it after this is told by us. */
const HEARING_MS = 200;
/** Time to clean up, before it is ended. */
const GRACE_MS = 5000;

/**
 * Runs a command to its end; seconds from its start to its end. What it prints goes to stderr: stdout is for results.
 * It ends with us, and what an interrupted one took is no time.
 */
export function timeCommand(
  [command = '', ...words]: readonly string[],
  env: Readonly<Record<string, string>>,
  context: CliContext,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, words, {
      cwd: context.cwd,
      env: { ...context.env, ...env },
      stdio: ['ignore', process.stderr, process.stderr],
    });
    const forget = endWith(child, context.signal);
    child.on('error', (cause) => {
      forget();
      reject(
        new NightmarkError('KIT_COMMAND', `${command} cannot be started: ${cause.message}.`, {
          hint: 'Name a program, then its arguments, after "--".',
        }),
      );
    });
    child.on('exit', (code, signal) => {
      const seconds = (performance.now() - start) / 1000;
      forget();
      if (context.signal.aborted) return reject(interrupted());
      if (code === 0) return resolve(seconds);
      const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
      reject(
        new NightmarkError('KIT_COMMAND', `${[command, ...words].join(' ')} ${how}.`, {
          hint: 'What it printed is above.',
        }),
      );
    });
  });
}

/** What a timing that was told to stop ends with. */
export function interrupted(): NightmarkError {
  return new NightmarkError('KIT_INTERRUPTED', 'Timing was interrupted.');
}

/** Passes on that we are to stop; what is returned ends that. */
function endWith(child: ChildProcess, signal: CancelSignal): () => void {
  const timers: NodeJS.Timeout[] = [];
  const stop = () => {
    timers.push(
      setTimeout(() => child.kill('SIGTERM'), HEARING_MS),
      setTimeout(() => child.kill('SIGKILL'), HEARING_MS + GRACE_MS),
    );
  };
  signal.addEventListener('abort', stop);
  return () => {
    signal.removeEventListener('abort', stop);
    for (const timer of timers) clearTimeout(timer);
  };
}
