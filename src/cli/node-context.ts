import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import localDisk from '../platform/adapters/local-disk/local-disk.ts';
import systemClock from '../platform/adapters/system-clock.ts';
import type { CliContext, Output } from '../platform/cli/command.ts';
import { packageFile } from '../platform/core/package-file.ts';

const packageDir = fileURLToPath(packageFile(import.meta.url, '')).replace(/\/$/, '');

/** The context of the real process. `dispose` removes the signal handlers. */
export function nodeContext(node: NodeJS.Process): { context: CliContext; dispose(): void } {
  const abort = new AbortController();
  const stop = () => abort.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) node.on(signal, stop);

  const { version } = JSON.parse(readFileSync(`${packageDir}/package.json`, 'utf8')) as { version: string };
  const env = Object.fromEntries(
    Object.entries(node.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const context: CliContext = {
    cwd: node.cwd(),
    env,
    userHome: homedir(),
    hostName: hostname(),
    processId: node.pid,
    packageDir,
    version,
    stdin: { [Symbol.asyncIterator]: () => linesOf(node.stdin) },
    stdout: toOutput(node.stdout, env),
    stderr: toOutput(node.stderr, env),
    clock: systemClock,
    disk: localDisk,
    signal: abort.signal,
    randomSeed: () => randomInt(2 ** 32),
  };
  return {
    context,
    dispose: () => {
      for (const signal of signals) node.off(signal, stop);
    },
  };
}

function linesOf(input: NodeJS.ReadableStream): AsyncIterator<string> {
  const reader = createInterface({ input });
  const lines = reader[Symbol.asyncIterator]();
  return {
    next: () => lines.next(),
    // A reader that stops must not wait for a line that never comes.
    async return() {
      reader.close();
      return { done: true, value: undefined };
    },
  };
}

function toOutput(stream: NodeJS.WriteStream, env: Record<string, string>): Output {
  const isTerminal = stream.isTTY === true;
  const wantsColor = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  if (!stream.listeners('error').includes(ignoreClosed)) stream.on('error', ignoreClosed);
  return {
    write: (text) => void stream.write(text),
    writeBytes: (bytes) => void stream.write(bytes),
    isTerminal,
    columns: stream.columns ?? 100,
    hasColor: env['NO_COLOR'] === undefined && (wantsColor || (isTerminal && env['TERM'] !== 'dumb')),
  };
}

/** A reader that closed the pipe (nightmark status | head) is not an error. */
function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
