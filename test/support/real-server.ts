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
  /** Where it answers once it is up, with whatever status but 503. */
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

/** Below those that the system hands out itself: another test's connection cannot take it before the server starts. */
const FIRST_PORT = 12_000;
const PORTS = 20_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
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
    // Some answer 503 until they have read their data.
    const isUp = await fetch(url + path).then(
      ({ status }) => status !== 503,
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
