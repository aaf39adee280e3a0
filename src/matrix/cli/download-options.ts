import type { Command as Parser } from 'commander';
import type { Workload } from '../../formats/core/kpi/workload.ts';
import { type CliContext, flag, type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import type { DownloadRequest } from '../app/download-results.ts';
import { readUrlFile } from '../config/url-file.ts';
import {
  DOWNLOAD_MODES,
  type DownloadEntry,
  type DownloadMode,
  SINGLE_FOLDER,
} from '../core/download-rules.ts';
import { parseFilters, passesFilters } from '../core/filters.ts';
import { loadWorkload } from './load-workload.ts';

const JOBS = 4;

export function addDownloadOptions(parser: Parser): Parser {
  return parser
    .argument('<dir>', 'folder of results')
    .option(
      '--url <address>',
      `download one tree into ${SINGLE_FOLDER}: https://, http:// or s3://bucket/path`,
    )
    .option('--url-file <file>', 'download the trees that a YAML file lists')
    .option(
      '--filter, --filters <filters>',
      'of a url file, only trees with these settings: key=v1:v2,key2=v3',
    )
    .option('-w, --workload <file>', 'says which files are important')
    .option('--mode <mode>', `${DOWNLOAD_MODES.join(', ')} (default: prefer_cache)`)
    .option('--cache-name <names>', 'cache files of other tools to download as well: a.pickle,b.pickle')
    .option('-n, --dry-run', 'list what would be downloaded, and download nothing')
    .option('--do-download', 'the default; for old scripts')
    .option('--max-size <size>', 'size limit of the download: 500M, 2G')
    .option('--jobs <count>', `files to download at a time (default: ${JOBS})`)
    .option('--allow-host <hosts>', 'other hosts that the server may redirect to: a.example,b.example')
    .option('--s3-endpoint <address>', "an S3 server that is not Amazon's")
    .option('--json', 'print one line of JSON for each file, and the counts');
}

export async function downloadRequest(options: Options, context: CliContext): Promise<DownloadRequest> {
  if (flag(options, 'dryRun') && flag(options, 'doDownload')) {
    throw invalid('--dry-run and --do-download exclude each other.', 'Give one of them.');
  }
  const entries = await entriesOf(options, context);
  const mode = modeOf(textOption(options, 'mode') ?? 'prefer_cache');
  const workload = await workloadOf(mode, textOption(options, 'workload'), context);
  return {
    entries,
    rules: {
      mode,
      cacheNames: commaList(options, 'cacheName'),
      importantFiles: workload?.importantFiles ?? [],
      ...(workload?.marker !== undefined && { marker: workload.marker }),
    },
    jobs: jobsOf(textOption(options, 'jobs')),
    isDryRun: flag(options, 'dryRun'),
    maxBytes: sizeOf(textOption(options, 'maxSize')),
  };
}

export function commaList(options: Options, name: string): readonly string[] {
  return (textOption(options, name) ?? '').split(',').filter((part) => part !== '');
}

async function entriesOf(options: Options, { cwd, disk }: CliContext): Promise<readonly DownloadEntry[]> {
  const [url, file] = [textOption(options, 'url'), textOption(options, 'urlFile')];
  if (url !== undefined && file !== undefined) {
    throw invalid('--url and --url-file exclude each other.', 'Give one of them.');
  }
  if (url !== undefined) return [{ url, folder: SINGLE_FOLDER }];
  const entries = file === undefined ? [] : await readUrlFile(resolvePath(cwd, file), { disk });
  const wanted = parseFilters(textOption(options, 'filters') ?? '');
  const passing = entries.filter(({ settings = {} }) => passesFilters(settings, wanted));
  if (passing.length > 0) return passing;
  if (entries.length > 0) {
    throw new NightmarkError(
      'DOWNLOAD_NO_URL',
      `None of the ${entries.length} trees of ${file} passes --filter.`,
      {
        hint: 'It is compared with the "settings" of each tree; a tree without the setting passes.',
      },
    );
  }
  throw new NightmarkError(
    'DOWNLOAD_NO_URL',
    file === undefined ? 'No address to download from.' : `${file} lists no address.`,
    {
      hint: 'Give --url https://server/results/, or --url-file FILE with "download:".',
    },
  );
}

function modeOf(text: string): DownloadMode {
  const mode = DOWNLOAD_MODES.find((known) => known === text.replaceAll('-', '_'));
  if (mode !== undefined) return mode;
  const close = nearest(text, DOWNLOAD_MODES);
  throw invalid(
    `Invalid --mode: ${text}`,
    `${close === undefined ? '' : `Did you mean ${close}? `}There are: ${DOWNLOAD_MODES.join(', ')}.`,
  );
}

async function workloadOf(
  mode: DownloadMode,
  file: string | undefined,
  context: CliContext,
): Promise<Workload | undefined> {
  if (file !== undefined) return loadWorkload(file, context);
  if (mode === 'all' || mode === 'cache_only') return undefined;
  throw new NightmarkError(
    'DOWNLOAD_NO_WORKLOAD',
    `--mode ${mode} needs a workload: it says which files are important.`,
    {
      hint: 'Give --workload FILE, or --mode all.',
    },
  );
}

function jobsOf(text = String(JOBS)): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw invalid(`Invalid --jobs: ${text}`, 'Give a whole number from 1 to 99.');
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

function sizeOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const [, digits, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)([KMGT]?)(?:i?B)?$/i.exec(text) ?? [];
  if (digits !== undefined) return Math.floor(Number(digits) * (UNITS[unit.toUpperCase()] ?? 1));
  throw invalid(`Invalid --max-size: ${text}`, 'For example 500M or 2G.');
}

function invalid(message: string, hint: string): NightmarkError {
  return new NightmarkError('CLI_INVALID_OPTION', message, { hint });
}
