import { createHash, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { homeLayout } from '../../../home/core/home-layout.ts';
import locks from '../../../platform/adapters/locks/sqlite/sqlite.ts';
import { loadAll } from '../../../platform/cli/adapters.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import type { Publication, Publisher } from '../../core/publisher.ts';

export interface Target {
  readonly publisher: Publisher;
  readonly place: string;
  /** Without user and password. */
  readonly shown: string;
}

/** dir:PATH, git:REMOTE#BRANCH, s3:URL, rsync:TARGET. */
export async function findTarget(given: string | undefined): Promise<Target> {
  const publishers = await loadAll<Publisher>('publishers');
  const [, scheme, place = ''] = /^([a-z\d]+):(.*)$/s.exec(given ?? '') ?? [];
  const publisher = publishers.find((one) => one.scheme === scheme);
  const shown = shownTarget(given ?? '');
  if (publisher) return { publisher, place, shown };
  const message = given === undefined ? 'Where should the site go?' : `"${shown}" is no target.`;
  throw new NightmarkError('PUBLISH_BAD_TARGET', message, {
    hint: 'Say it with --to, or with "publish" in nightmark.yml: dir:PATH, git:REMOTE#BRANCH, s3://BUCKET/PATH or rsync:HOST:PATH.',
  });
}

/** Without user and password. */
export function shownTarget(given: string): string {
  return given.replace(/:\/\/[^\s/@]*@/g, '://***@');
}

export async function openTarget(
  { publisher, place, shown }: Target,
  { home, isDryRun }: { readonly home: string; readonly isDryRun: boolean },
  context: CliContext,
): Promise<Publication> {
  const { cwd, env, signal, clock, hostName, processId } = context;
  const name = createHash('sha256').update(shown).digest('hex').slice(0, 16);
  const workFolder = joinPath(homeLayout(home).own, 'publish', `${publisher.id}-${name}`);
  await mkdir(workFolder, { recursive: true });
  return publisher.open(place, {
    mode: isDryRun ? 'look' : 'write',
    workFolder,
    cwd,
    env,
    signal,
    locks,
    holder: { id: randomUUID(), host: hostName, processId },
    now: () => clock.now(),
  });
}
