import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Executor } from '../../../executors/core/executor.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { CancelSignal } from '../../../platform/core/signal.ts';
import type { Source } from '../../core/source-control.ts';
import { openGit } from './git-command.ts';
import { processEnvironment } from './repository-state.ts';
import { withoutSecrets } from './shell.ts';
import { checkSource } from './source-rules.ts';

/** The commit that a source has at its repository now, asked without fetching anything. */
export async function remoteTip(executor: Executor, source: Source, signal: CancelSignal): Promise<string> {
  checkSource(source);
  const scratch = mkdtempSync(join(tmpdir(), 'nightmark-git-'));
  try {
    const git = await openGit({ executor, logFile: join(scratch, 'log'), env: processEnvironment(), signal });
    const { isOk, stdout, lastLines } = await git.capture(scratch, [
      'ls-remote',
      '--',
      source.git,
      ...namesOf(source),
    ]);
    if (isOk) return tipIn(stdout, source);
    throw new NightmarkError(
      'SOURCE_FETCH_FAILED',
      `The source ${source.name} does not say what is new (${withoutSecrets(source.git)}):\n${lastLines}`,
      { hint: `Try "git ls-remote ${withoutSecrets(source.git)}" as the same user.` },
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function namesOf({ ref }: Source): readonly string[] {
  if (ref === undefined) return ['HEAD'];
  if (ref.startsWith('refs/')) return [ref, `${ref}^{}`];
  return [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/tags/${ref}^{}`];
}

/**
 * git also lists names that only end so. The last line wins: behind an annotated tag comes the commit it leads to. What
 * has no name is a commit, and stays.
 */
function tipIn(listed: string, source: Source): string {
  const names = namesOf(source);
  const lines = [...listed.matchAll(/^([0-9a-f]{40,64})\t(.+)$/gm)];
  const found = lines.filter(([, , name = '']) => names.includes(name));
  return found.at(-1)?.[1] ?? source.ref ?? '';
}
