import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Ran } from './in-process.ts';

export const MAIN = join(process.cwd(), 'dist/src/cli/nightmark.cjs');

/** Runs the built program as a user would. */
export function runBinary(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = startBinary(args, env);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}

export function startBinary(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = process.cwd(),
): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
