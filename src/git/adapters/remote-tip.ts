import type { Executor } from '../../executors/core/executor.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { Source } from '../core/source-control.ts';
import { withTemporaryGit } from './git-command.ts';
import { withoutSecrets } from './shell.ts';
import { checkSource } from './source-rules.ts';

/** The commit that a source has at its remote now, read without fetching anything. */
export async function remoteTip(executor: Executor, source: Source, signal: CancelSignal): Promise<string> {
  checkSource(source);
  return withTemporaryGit({ executor, signal }, async (git, scratch) => {
    const { isOk, stdout, lastLines } = await git.capture(scratch, [
      'ls-remote',
      '--',
      source.git,
      ...namesOf(source),
    ]);
    if (isOk) return tipIn(stdout, source);
    throw new NightmarkError(
      'SOURCE_FETCH_FAILED',
      `The newest commit of the source ${source.name} could not be read from ${withoutSecrets(source.git)}:\n${lastLines}`,
      { hint: `Try "git ls-remote ${withoutSecrets(source.git)}" as the same user.` },
    );
  });
}

function namesOf({ ref }: Source): readonly string[] {
  if (ref === undefined) return ['HEAD'];
  if (ref.startsWith('refs/')) return [ref, `${ref}^{}`];
  return [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/tags/${ref}^{}`];
}

/**
 * git also lists refs that only end in the name. The last line wins: after an annotated tag comes the commit that it
 * points to. A revision that is not a ref is a commit and is returned as it is.
 */
function tipIn(listed: string, source: Source): string {
  const names = namesOf(source);
  const lines = [...listed.matchAll(/^([0-9a-f]{40,64})\t(.+)$/gm)];
  const found = lines.filter(([, , name = '']) => names.includes(name));
  return found.at(-1)?.[1] ?? source.ref ?? '';
}
