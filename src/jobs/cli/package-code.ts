import { homeLayout } from '../../home/core/layout.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import { type Options, textOption } from '../../platform/cli/command.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import { parseSize } from '../../platform/config/sizes.ts';
import type { Archiver } from '../../platform/core/archiver.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { isInside } from '../../platform/core/path.ts';
import { visible } from '../../platform/core/text/visible.ts';
import { type PackedCode, packCode } from '../app/code-package.ts';
import type { JobHome } from './open-queue.ts';
import { listOption } from './submit-drafts.ts';

export const EXCLUDE_OPTION = [
  '--exclude <pattern...>',
  'leave files and folders of this name out of the package',
] as const;
export const MAX_PACKAGE_OPTION = ['--max-package <size>', 'a larger package is refused', '256MB'] as const;

interface Around {
  readonly options: Options;
  readonly context: CliContext;
  readonly jobs: JobHome;
}

/** Puts the code of a folder into the queue, and says what was left out. */
export async function packageCode(root: string, { options, context, jobs }: Around): Promise<PackedCode> {
  const { disk, signal, stderr } = context;
  const { home, queue, results } = jobs;
  const own = [results, homeLayout(home).own];
  const packed = await packCode(
    {
      root,
      excludes: listOption(options, 'exclude'),
      leftOut: own.flatMap((path) =>
        isInside(path, root) ? [path.slice(root.length).replace(/^\/+/, '')] : [],
      ),
      staging: homeLayout(home).staging,
      mark: `${context.processId}-${context.randomSeed()}`,
      mostBytes: parseSize(textOption(options, 'maxPackage') ?? '') ?? 256 * 1024 ** 2,
    },
    { disk, queue, signal, archiver: await loadAdapter<Archiver>('archivers', 'tar') },
  );
  for (const note of packed.notes) stderr.write(`warning: ${visible(note)} It is not in the package.\n`);
  if (packed.bytes > 0) stderr.write(`Packed ${visible(root)}: ${(packed.bytes / 1024).toFixed(0)} KiB.\n`);
  return packed;
}

export async function refuseNoFolder(root: string, { disk }: CliContext): Promise<void> {
  if ((await disk.stat(root))?.type === 'folder') return;
  throw new NightmarkError('JOBS_NO_CODE', `There is no folder ${root} with code.`, {
    hint: 'Check --code.',
  });
}
