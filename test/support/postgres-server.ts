import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './real-server.ts';

const ROOT = '/usr/lib/postgresql';

/** Why tests with PostgreSQL are left out, printed; false when its programs are there. */
export function skipWithoutPostgres(): string | false {
  if (binaries() !== undefined) return false;
  const why = 'no PostgreSQL: apt-get install postgresql';
  console.log(`Skipped: ${why}`);
  return why;
}

/** A cluster of its own in a temporary folder, on loopback; the superuser is "postgres", trusted. */
export class PostgresServer {
  readonly #folder: string;
  readonly #port: number;

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'nightmark-pg-'));
    const server = new PostgresServer(folder, await freePort());
    if (isRoot()) chownSync(folder, idOf('-u'), idOf('-g'));
    server.#call('initdb', [
      '-D',
      join(folder, 'db'),
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-sync',
    ]);
    server.up();
    return server;
  }

  constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  url(schema: string): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/postgres?schema=${schema}`;
  }

  up(): void {
    const options = `-c listen_addresses=127.0.0.1 -p ${this.#port} -k ${this.#folder}`;
    this.#control(['-l', join(this.#folder, 'log'), '-o', options, 'start']);
  }

  /** immediate: as if the power went. */
  down(mode: 'fast' | 'immediate'): void {
    this.#control(['-m', mode, 'stop']);
  }

  /** Runs a statement as the superuser; gives what psql prints. */
  sql(text: string): string {
    return this.#call('psql', ['-h', '127.0.0.1', '-p', String(this.#port), '-U', 'postgres', '-Atc', text]);
  }

  remove(): void {
    this.down('immediate');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #control(args: readonly string[]): void {
    this.#call('pg_ctl', ['-D', join(this.#folder, 'db'), '-w', ...args]);
  }

  #call(program: string, args: readonly string[]): string {
    const path = join(binaries() ?? '', program);
    const [command, all] = isRoot()
      ? ['runuser', ['-u', 'postgres', '--', path, ...args]]
      : [path, [...args]];
    // pg_ctl leaves the server behind with our pipes open: files instead.
    const stdio = program === 'pg_ctl' ? ('ignore' as const) : ('pipe' as const);
    const { status, stdout, stderr } = spawnSync(command, all, { stdio, encoding: 'utf8', cwd: '/' });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr ?? `ended with ${status}`}`);
    return stdout ?? '';
  }
}

function binaries(): string | undefined {
  const versions = existsSync(ROOT) ? readdirSync(ROOT).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(ROOT, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

/** The server refuses to run as root. */
function isRoot(): boolean {
  return userInfo().uid === 0;
}

function idOf(which: '-u' | '-g'): number {
  return Number(spawnSync('id', [which, 'postgres'], { encoding: 'utf8' }).stdout.trim());
}
