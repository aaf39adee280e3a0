import { fileLocks } from '../../platform/adapters/file-locks.ts';
import { loadAll } from '../../platform/cli/adapters.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { openDownloadTarget } from '../adapters/download-target.ts';
import type { DownloadEffects, DownloadedFile } from '../app/download-file.ts';
import { type DownloadReport, type DownloadRequest, downloadResults } from '../app/download-results.ts';
import type { RemoteFolder, RemoteFolders } from '../core/remote-folder.ts';
import { addDownloadOptions, commaList, downloadRequest } from './download-options.ts';

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
    const lock = request.isDryRun ? undefined : await lockFolder(root, context);
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
Start it again after a failure or an interruption: complete files are not downloaded again, and partial ones are resumed.
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

  const allowedHosts = commaList(options, 'allowHost');
  const openRemote = async (url: string): Promise<RemoteFolder> => {
    const remote = remotes.find(({ accepts }) => accepts(url));
    if (remote)
      return remote.open(url, { allowedHosts, env, signal, ...(endpoint !== undefined && { endpoint }) });
    throw new NightmarkError('DOWNLOAD_BAD_URL', `Cannot download from ${url}: unsupported address.`, {
      hint: url.startsWith('file:')
        ? 'Results on this machine need no download: give the folder to "nightmark matrix parse".'
        : 'Use an address that begins with https://, http:// or s3://.',
    });
  };
  return { clock, signal, target: openDownloadTarget(root), openRemote, onFile };
}

/** Two downloads into one folder would write the same unfinished files. */
async function lockFolder(root: string, { disk, processId, hostName }: CliContext) {
  await disk.makeDir(joinPath(root, '.nightmark'));
  const lock = await fileLocks.acquire(joinPath(root, '.nightmark/download.lock'), {
    pid: processId,
    host: hostName,
  });
  if (lock.state === 'acquired') return lock;
  const { pid, host } = lock.holder;
  throw new NightmarkError(
    'DOWNLOAD_LOCKED',
    `Another download into ${root} is under way (process ${pid} on ${host}).`,
    {
      hint: 'Wait until it has finished, or stop it.',
    },
  );
}

function exitOf({ counts, broken }: DownloadReport, trees: number): number {
  if (broken.length === trees) return EXIT.error;
  return counts.failed + counts.refused + broken.length > 0 ? EXIT.someFailed : EXIT.fine;
}

function describeFile({ path, state, bytes, resumedAt, reason }: DownloadedFile): string {
  const name = visible(path);
  if (state === 'planned') return `${name}${bytes === undefined ? '' : `  ${sizeText(bytes)}`}\n`;
  if (reason !== undefined) return `${state}: ${name}: ${visible(reason)}\n`;
  const resumed = resumedAt === undefined ? '' : `, resumed at ${sizeText(resumedAt)}`;
  return `${state}: ${name}  ${sizeText(bytes ?? 0)}${resumed}\n`;
}

function fileJson({ resumedAt, ...file }: DownloadedFile): string {
  return `${JSON.stringify({ ...file, ...(resumedAt !== undefined && { resumed_at: resumedAt }) })}\n`;
}

function describeDownload({ counts, bytes }: DownloadReport, { isDryRun }: DownloadRequest): string {
  const begin = isDryRun
    ? `${counts.planned} files would be downloaded`
    : `${counts.fetched} files downloaded (${sizeText(bytes)})`;
  const more = [
    [counts.kept, 'existed already'],
    [counts.refused, 'refused'],
    [counts.failed, 'failed'],
  ] as const;
  const others = more.filter(([count]) => count > 0).map(([count, what]) => `, ${count} ${what}`);
  return `${begin}${others.join('')}.\n`;
}

function sizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return unit === 0 ? `${bytes} B` : `${value.toFixed(1)} ${units[unit]}`;
}
