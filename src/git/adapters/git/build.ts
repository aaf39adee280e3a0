import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { SourceRequest } from '../../core/source-control.ts';
import { withoutGitState } from './git-command.ts';
import type { Shell } from './shell.ts';

/** Runs the build command in the checkout. */
export async function buildCheckout(
  shell: Shell,
  dir: string,
  { source, env }: SourceRequest,
): Promise<void> {
  if (source.build === undefined || source.build.trim() === '') return;
  const program = isOnPath('bash', env['PATH'] ?? '') ? 'bash' : 'sh';
  const { isOk, lastLines } = await shell.run([program, '-c', source.build], {
    cwd: dir,
    env: { ...withoutGitState(env), NIGHTMARK_SOURCE_DIR: dir },
  });
  if (isOk) return;
  throw new NightmarkError(
    'SOURCE_BUILD_FAILED',
    `The source ${source.name} could not be built:\n${lastLines}`,
    {
      hint: `The folder is kept for a look: ${dir}. The next night builds it again from a fresh checkout.`,
    },
  );
}

function isOnPath(program: string, path: string): boolean {
  return path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)));
}
