import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileLocks as locks } from '../../src/platform/adapters/file-locks.ts';
import type { ByteTools } from '../../src/publish/app/site/load-file.ts';
import type { PublisherOptions, PutFile } from '../../src/publish/core/site/publisher.ts';
import { freePort, type RealServer, skipWithout, startReal } from './real-server.ts';

/** A real receiver, and what readers of it see. */
export interface PublishTarget {
  readonly id: string;
  /** Why it cannot be tested here. */
  readonly skip: string | false;
  /** A new, empty place, as it stands behind --to. */
  make(): string;
  /** Every file that is there, but for those of our own folder. */
  files(to: string): Promise<Readonly<Record<string, string>>>;
  /** Puts a foreign file there. */
  spoil(to: string, path: string): Promise<void>;
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export const byteTools: ByteTools = {
  newHash() {
    const hash = createHash('sha256');
    return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') };
  },
  encode: (text) => Buffer.from(text),
};

export function textFile(path: string, text: string): PutFile {
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    path,
    size: bytes.length,
    sha256,
    async *bytes() {
      yield bytes;
    },
  };
}

let holders = 0;

export function publisherOptions(
  env: Readonly<Record<string, string>>,
  more: Partial<PublisherOptions> = {},
): PublisherOptions {
  return {
    mode: 'write',
    cwd: tmpdir(),
    workFolder: mkdtempSync(join(tmpdir(), 'nightmark-publish-work-')),
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    signal: new AbortController().signal,
    locks,
    holder: { id: `test-${process.pid}-${holders++}`, host: 'here', processId: process.pid },
    now: () => Date.UTC(2026, 0, 31),
    ...more,
  };
}

export async function publishTargets(): Promise<readonly PublishTarget[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-publish-'));
  let places = 0;
  const newFolder = () => join(folder, `site-${places++}`);
  const local = { env: {}, stop: async () => undefined, skip: false as const };
  const spoilFolder = async (path: string, file: string) => {
    execFileSync('sh', ['-c', 'mkdir -p "$1" && echo other > "$1/$2"', '-', path, file]);
  };
  return [
    {
      ...local,
      id: 'directory',
      make: () => `dir:${newFolder()}`,
      files: async (to) => filesIn(to.slice('dir:'.length)),
      spoil: (to, path) => spoilFolder(to.slice('dir:'.length), path),
    },
    {
      ...local,
      id: 'rsync',
      skip: skipWithout('rsync', 'apt-get install rsync'),
      make: () => `rsync:${newFolder()}`,
      files: async (to) => filesIn(to.slice('rsync:'.length)),
      spoil: (to, path) => spoilFolder(to.slice('rsync:'.length), path),
    },
    { ...local, id: 'git-branch', ...gitTarget(newFolder) },
    await s3Target(newFolder),
  ];
}

function gitTarget(newFolder: () => string) {
  const git = (repository: string, ...args: string[]) =>
    execFileSync('git', ['-C', repository, ...args], { maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] });
  const repositoryOf = (to: string) => to.slice('git:'.length, to.lastIndexOf('#'));
  return {
    make: () => {
      const repository = newFolder();
      execFileSync('git', ['init', '-q', '--bare', repository]);
      return `git:${repository}#pages`;
    },
    async files(to: string) {
      // One commit, as whoever clones it sees: the branch may move between two questions.
      const repository = repositoryOf(to);
      const found = spawnSync('git', ['-C', repository, 'rev-parse', '-q', '--verify', 'pages']);
      if (found.status !== 0) return {};
      const folder = mkdtempSync(join(tmpdir(), 'nightmark-publish-branch-'));
      const archive = git(repository, 'archive', found.stdout.toString().trim());
      execFileSync('tar', ['-x', '-C', folder], { input: archive });
      const files = filesIn(folder);
      rmSync(folder, { recursive: true });
      return files;
    },
    async spoil(to: string, path: string) {
      const script =
        'cd "$1"; b=$(echo other | git hash-object -w --stdin); t=$(printf "100644 blob %s\\t%s\\n" $b "$2" | git mktree); git update-ref refs/heads/pages $(git -c user.name=a -c user.email=a@b commit-tree -m x $t)';
      execFileSync('sh', ['-ec', script, '-', repositoryOf(to), path]);
    },
  };
}

const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

async function s3Target(newFolder: () => string): Promise<PublishTarget> {
  const skip = skipWithout('s3rver', 'npm install --global s3rver@3.7.1');
  let server: RealServer | undefined;
  let buckets = 0;
  if (skip === false) {
    const port = await freePort();
    const args = ['-a', '127.0.0.1', '-p', String(port), '-d', newFolder(), '--configure-bucket', 'site'];
    // Its tokens of pages are made with a cipher that OpenSSL 3 has put aside.
    server = await startReal({
      program: 's3rver',
      args,
      port,
      env: { NODE_OPTIONS: '--openssl-legacy-provider' },
    });
  }
  const addressOf = (to: string) => to.slice('s3:'.length);
  return {
    id: 's3',
    skip,
    env: KEYS,
    make: () => `s3:${server?.url ?? 'http://127.0.0.1:1'}/site/p${buckets++}`,
    async files(to) {
      const [, base = '', prefix = ''] = /^(.*\/site)\/(.*)$/.exec(addressOf(to)) ?? [];
      const listed = await (await fetch(`${base}?prefix=${prefix}/&max-keys=1000`)).text();
      const keys = [...listed.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) =>
        plainXml(key).slice(prefix.length + 1),
      );
      const files = keys
        .filter((key) => !key.startsWith('.nightmark/'))
        .map(async (key) => {
          const answer = await fetch(`${addressOf(to)}/${key.split('/').map(encodeURIComponent).join('/')}`);
          return [key, Buffer.from(await answer.arrayBuffer()).toString('latin1')] as const;
        });
      return Object.fromEntries(await Promise.all(files));
    },
    async spoil(to, path) {
      await fetch(`${addressOf(to)}/${path}`, { method: 'PUT', body: 'other' });
    },
    stop: async () => server?.stop(),
  };
}

function plainXml(text: string): string {
  return text
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** As Latin-1, so that every byte counts. */
export function filesIn(root: string): Readonly<Record<string, string>> {
  let names: string[];
  try {
    names = readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name).slice(root.length + 1)] : [],
    );
  } catch {
    return {};
  }
  const site = names.filter((name) => !name.startsWith('.nightmark/')).sort();
  return Object.fromEntries(site.map((name) => [name, readFileSync(join(root, name), 'latin1')]));
}
