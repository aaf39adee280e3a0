import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RealServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface ServerStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly port: number;
  /** Where it answers, with whatever status, once it is up. */
  readonly path?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Why a test with a real server is left out, printed; false when the program is there. */
export function skipWithout(program: string, how: string): string | false {
  if (spawnSync('which', [program]).status === 0) return false;
  const why = `no ${program}: ${how}`;
  console.log(`Skipped: ${why}`);
  return why;
}

export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Starts a server of loopback and waits until it answers. */
export async function startReal({
  program,
  args,
  port,
  path = '/',
  env = {},
}: ServerStart): Promise<RealServer> {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => said.push(String(part)));
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) break;
    const isUp = await fetch(url + path).then(
      () => true,
      () => false,
    );
    if (isUp) return { url, stop: () => stop(child) };
    await sleep(50);
  }
  await stop(child);
  return assert.fail(`${program} did not answer at ${url}${path}: ${said.join('').slice(-2000)}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await gone;
}
