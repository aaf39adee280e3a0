import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a shell would find the program; undefined when it would not. A name with a slash is a path. */
export function findProgram(name: string, searchPath: string): string | undefined {
  const candidates = name.includes('/')
    ? [name]
    : searchPath
        .split(delimiter)
        .filter((folder) => folder !== '')
        .map((folder) => join(folder, name));
  return candidates.find(isProgram);
}

/** Whether the file may be executed by us. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // missing, not executable, or a loop of links: the next folder may have it
  }
}

export interface ProgramOutput {
  /** -1 when it was killed, which is also what happens to one that takes too long. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramCall {
  readonly timeoutMs: number;
  /** The environment of this process by default. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absent: stdin stays open and empty, for scripts that wait with `read -t`. */
  readonly stdin?: string;
  /** Of each stream; what comes after them is dropped. */
  readonly maxCharacters?: number;
}

/**
 * Runs a program to its end and returns its output. It leads a session of its own: what a terminal sends on Ctrl-C must
 * not end it half-way. Rejects with the error of the system when it cannot be started.
 */
export function callProgram(
  program: string,
  args: readonly string[],
  { timeoutMs, env, stdin, maxCharacters = Number.POSITIVE_INFINITY }: ProgramCall,
): Promise<ProgramOutput> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { detached: true, stdio: 'pipe', ...(env && { env }) });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (output[name].length < maxCharacters) output[name] += text;
      });
    }
    child.stdin.on('error', () => {}); // It ended first; its exit code says how.
    if (stdin !== undefined) child.stdin.end(stdin);
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      const late = { stderr: `no answer within ${timeoutMs / 1000} s` };
      resolve({ code: code ?? -1, ...output, ...(code === null && late) });
    });
  });
}
