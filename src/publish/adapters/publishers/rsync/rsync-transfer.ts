import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import { type Ended, runProgram, withoutSecrets } from '../run-program.ts';

/** rsync between a folder of ours and the target. */
export interface Transfer {
  /** A file of the target as text; undefined when it is not there. */
  read(path: string): Promise<string | undefined>;
  /** Files of the staging folder, each whole or not at all. */
  send(paths: readonly string[], how: { readonly onlyNew?: boolean }): Promise<void>;
  remove(paths: readonly string[]): Promise<void>;
  /** Names at the top of the target. */
  top(): Promise<readonly string[]>;
  list(): AsyncIterable<string>;
}

interface TransferOptions {
  readonly staging: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: CancelSignal;
}

/** Some files could not be transferred: also when the requested one is missing. */
const PARTIAL = 23;
/** Something named is missing on our side: which is how it is removed on the other. */
const VANISHED = 24;
const MISSING = /No such file or directory|link_stat|change_dir/;

export function openTransfer(address: string, { staging, env, signal }: TransferOptions): Transfer {
  const run = (args: readonly string[], list?: readonly string[]) =>
    runProgram(['rsync', '--timeout=120', '-s', ...args], {
      cwd: staging,
      env: { ...env, LC_ALL: 'C' },
      signal,
      install: 'Install rsync here and on the other machine (apt-get install rsync, brew install rsync).',
      ...(list && { input: lines(list) }),
    });
  const must = async (ran: Promise<Ended>): Promise<Ended> => {
    const ended = await ran;
    if (ended.code !== 0) throw failure(address, ended);
    return ended;
  };
  const entries = async (depth: readonly string[]) => {
    const ended = await run(['--list-only', '--no-motd', '--8-bit-output', ...depth, '--', `${address}/`]);
    if (ended.code === PARTIAL && MISSING.test(ended.stderr)) return [];
    return (await must(Promise.resolve(ended))).stdout.split('\n').flatMap(toEntry);
  };
  return {
    async read(path) {
      const place = join(staging, FETCHED);
      await rm(place, { force: true });
      const ended = await run(['--no-motd', '--', `${address}/${path}`, FETCHED]);
      if (ended.code === PARTIAL && MISSING.test(ended.stderr)) return undefined;
      await must(Promise.resolve(ended));
      return readFile(place, 'utf8');
    },
    async send(paths, { onlyNew = false }) {
      const more = onlyNew ? ['--ignore-existing'] : [];
      // Modification times do not matter here: --ignore-times sends every named file, and rsync renames each one when it is complete.
      const how = [
        '--files-from=-',
        '--from0',
        '--relative',
        '--perms',
        '--mkpath',
        '--ignore-times',
        '--whole-file',
        '--fsync',
      ];
      await must(run([...how, ...more, '--', './', `${address}/`], paths));
    },
    async remove(paths) {
      if (paths.length === 0) return;
      await mkdir(join(staging, EMPTY), { recursive: true });
      // Named and missing on our side: removed on the other.
      const how = ['--files-from=-', '--from0', '--dirs', '--no-implied-dirs', '--delete-missing-args'];
      const ended = await run([...how, '--', `./${EMPTY}/`, `${address}/`], paths);
      if (ended.code !== VANISHED) await must(Promise.resolve(ended));
    },
    top: async () => (await entries([])).map(({ path }) => path),
    async *list() {
      for (const { path, isFolder } of await entries(['--recursive'])) if (!isFolder) yield path;
    },
  };
}

const FETCHED = '.fetched';
const EMPTY = '.empty';

async function* lines(paths: readonly string[]): AsyncIterable<string> {
  for (const path of paths) yield `${path}\0`;
}

/** "-rw-r--r--          1,234 2026/01/31 02:00:00 path" */
function toEntry(line: string): readonly { readonly path: string; readonly isFolder: boolean }[] {
  const [, type, path = ''] = /^([dlpscb-])\S+\s+[\d,.]+\s+\S+\s+\S+ (.*)$/.exec(line) ?? [];
  return type === undefined || path === '.' ? [] : [{ path, isFolder: type === 'd' }];
}

function failure(address: string, { code, stderr }: Ended): NightmarkError {
  return new NightmarkError(
    'PUBLISH_FAILED',
    `rsync to ${withoutSecrets(address)} failed (${code}): ${stderr}`,
    {
      hint: 'The earlier site is still in place. Check the address, and that it can be reached without a password.',
    },
  );
}
