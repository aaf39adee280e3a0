import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { NightmarkError } from '../../core/errors.ts';
import type { CliContext } from '../context.ts';

/** Runs a command to its end; seconds from its start to its end. What it prints goes to stderr: stdout is for results. */
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
    child.on('error', (cause) => {
      reject(
        new NightmarkError('KIT_COMMAND', `${command} cannot be started: ${cause.message}.`, {
          hint: 'Name a program, then its arguments, after "--".',
        }),
      );
    });
    child.on('exit', (code, signal) => {
      const seconds = (performance.now() - start) / 1000;
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
