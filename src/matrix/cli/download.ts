import { loadAdapter, loadAll } from '../../platform/cli/adapters.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { Locks } from '../../platform/core/lock.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import type { DownloadEffects, DownloadedFile } from '../app/download-effects.ts';
import { type DownloadReport, downloadResults } from '../app/download-results.ts';
import type { Landings } from '../core/landing.ts';
import type { RemoteFolder, RemoteFolders } from '../core/remote-folder.ts';
import { addDownloadOptions, downloadRequest, listOption } from './download-options.ts';
import { describeDownload, describeFile, fileJson } from './download-text.ts';

const command: CommandModule = {
  configure(parser) {
    addDownloadOptions(parser).addHelpText('after', HELP);
  },

  async run([dir = ''], options, context) {
    const request = await downloadRequest(options, context);
    const isJson = flag(options, 'json');
    const { stdout, stderr } = context;
    const onFile = (file: DownloadedFile) => {
      if (isJson) stdout.write(fileJson(file));
      else if (file.state === 'planned') stdout.write(describeFile(file));
      else if (file.state !== 'kept') stderr.write(describeFile(file));
    };
    const root = resolvePath(context.cwd, dir);
    const effects = await downloadEffects(root, { options, context, onFile });
    const lock = request.isDryRun ? undefined : await holdFolder(root, context);
    try {
      const report = await downloadResults(request, effects);
      for (const { reason, hint } of report.broken) {
        stderr.write(`error: ${reason}${hint === undefined ? '' : `\n  ${hint}`}\n`);
      }
      stdout.write(isJson ? `${JSON.stringify(report)}\n` : describeDownload(report, request));
      return exitOf(report, request.entries.length);
    } finally {
      lock?.release();
    }
  },
};

export default command;

const HELP = `
Start it again after a failure or an interruption: complete files are not fetched again, and begun ones go on.
Keys for S3 come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; without them requests are anonymous.
Exit code: 0 fine, 4 some files are missing, 1 an error, 130 interrupted. See docs/guide/matrix-download.md.`;

interface EffectParts {
  readonly options: Options;
  readonly context: CliContext;
  onFile(file: DownloadedFile): void;
}

async function downloadEffects(
  root: string,
  { options, context, onFile }: EffectParts,
): Promise<DownloadEffects> {
  const { clock, signal, env } = context;
  const endpoint = textOption(options, 's3Endpoint');
  const remotes = await loadAll<RemoteFolders>('remotes');
  const landings = await loadAdapter<Landings>('landings', 'local');
  const allowedHosts = listOption(options, 'allowHost');
  const openRemote = async (url: string): Promise<RemoteFolder> => {
    const remote = remotes.find(({ accepts }) => accepts(url));
    if (remote)
      return remote.open(url, { allowedHosts, env, signal, ...(endpoint !== undefined && { endpoint }) });
    throw new NightmarkError('DOWNLOAD_BAD_URL', `${url} is no address that can be fetched from.`, {
      hint: url.startsWith('file:')
        ? 'What is on this machine need not be fetched: name the folder to "nightmark matrix parse".'
        : 'An address begins with https://, http:// or s3://.',
    });
  };
  return { clock, signal, landing: landings.open(root), openRemote, onFile };
}

/** Two downloads into one folder would write the same unfinished files. */
async function holdFolder(root: string, { disk, processId, hostName }: CliContext) {
  const locks = await loadAdapter<Locks>('locks', 'sqlite');
  await disk.makeDir(joinPath(root, '.nightmark'));
  const lock = await locks.acquire(joinPath(root, '.nightmark/download.lock'), {
    pid: processId,
    host: hostName,
  });
  if (lock.state === 'acquired') return lock;
  const { pid, host } = lock.holder;
  throw new NightmarkError(
    'DOWNLOAD_LOCKED',
    `Another download into ${root} is under way (process ${pid} on ${host}).`,
    {
      hint: 'Wait until it is done, or end it.',
    },
  );
}

function exitOf({ counts, broken }: DownloadReport, trees: number): number {
  if (broken.length === trees) return EXIT.error;
  return counts.failed + counts.refused + broken.length > 0 ? EXIT.someFailed : EXIT.fine;
}
