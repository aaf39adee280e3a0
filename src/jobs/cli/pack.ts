import { homeLayout } from '../../home/core/home-layout.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  listOption,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { parseSize } from '../../platform/config/durations-and-sizes.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { isInside, resolvePath } from '../../platform/core/path.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { type PackedCode, packCode } from '../app/code-package.ts';
import { HOME_OPTION, type JobHome, openJobHome, POSTGRES_OPTION } from './open-queue.ts';

const EXAMPLES = `
Stores the code of a folder in the queue, once by its content, and prints the hash by which jobs name it. Only needed where
many jobs are submitted one by one with the code as it was before the first: nightmark job submit packs by itself.

Examples:
  nightmark job pack                     the code of this folder
  nightmark job pack src --exclude '*.pt'
  nightmark job submit --package HASH --script train.py --set lr=0.1`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[folder]', 'folder with the code (default: this one)')
      .option(...EXCLUDE_OPTION)
      .option(...MAX_PACKAGE_OPTION)
      .option(...HOME_OPTION)
      .option(...POSTGRES_OPTION)
      .option('--json', 'print hash and names of the files as JSON')
      .addHelpText('after', EXAMPLES);
  },

  async run([folder = '.'], options, context) {
    const root = resolvePath(context.cwd, folder);
    await checkFolder(root, context);
    const jobs = await openJobHome(options, context);
    try {
      const { code, names } = await packageCode(root, { options, context, jobs });
      context.stderr.write(`${counted(names.length, 'file')} of ${visible(root)}.\n`);
      context.stdout.write(
        flag(options, 'json')
          ? `${JSON.stringify({ hash: code.hash, name: code.name, names })}\n`
          : `${code.hash}\n`,
      );
      return EXIT.fine;
    } finally {
      await jobs.queue.close();
    }
  },
};

export default command;

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

/** Stores the code of a folder in the queue, with a warning for each file that was left out. */
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
    { disk, queue, signal, archiver: (await import('../../platform/adapters/tar/tar.ts')).tarArchiver },
  );
  for (const note of packed.notes) stderr.write(`warning: ${visible(note)} It is not in the package.\n`);
  if (packed.bytes > 0) stderr.write(`Packed ${visible(root)}: ${(packed.bytes / 1024).toFixed(0)} KiB.\n`);
  return packed;
}

export async function checkFolder(root: string, { disk }: CliContext): Promise<void> {
  if ((await disk.stat(root))?.type === 'folder') return;
  throw new NightmarkError('JOBS_NO_CODE', `There is no folder ${root} with code.`, {
    hint: 'Check --code.',
  });
}
