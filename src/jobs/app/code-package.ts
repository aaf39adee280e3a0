import type { Archiver } from '../../platform/core/archiver.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, joinPath } from '../../platform/core/path.ts';
import { componentPattern } from '../../platform/core/patterns/glob.ts';
import type { Job, JobCode } from '../core/job.ts';
import type { JobQueue } from '../core/job-queue.ts';
import type { WorkEffects } from './work-effects.ts';

export interface PackCodeRequest {
  /** Absolute folder. */
  readonly root: string;
  /** Patterns beyond those of the ignore file. */
  readonly excludes: readonly string[];
  /** Paths below root that are not code, such as the results of jobs. */
  readonly leftOut: readonly string[];
  /** Folder for the temporary archive. */
  readonly staging: string;
  /** Part of the archive's name: another process may pack the same code at the same time. */
  readonly mark: string;
  /** A larger package is refused: it probably contains data. */
  readonly mostBytes: number;
}

interface PackCodeEffects {
  readonly disk: Disk;
  readonly archiver: Archiver;
  readonly queue: Pick<JobQueue, 'hasPackage' | 'savePackage'>;
  readonly signal: CancelSignal;
}

export interface PackedCode {
  readonly code: Extract<JobCode, { readonly type: 'package' }>;
  /** Zero when the queue had it already. */
  readonly bytes: number;
  readonly notes: readonly string[];
  /** Files in it, relative to the folder. */
  readonly names: readonly string[];
}

/** Packs a folder of code, unless the queue has the same content already. The hash is of the files, not of the archive. */
export async function packCode(request: PackCodeRequest, effects: PackCodeEffects): Promise<PackedCode> {
  const { root, excludes, staging } = request;
  const { disk, archiver, queue, signal } = effects;
  const matches = codeFilter(await readIgnoreFile(root, disk), [...ALWAYS_EXCLUDED, ...excludes]);
  const isLeftOut = (path: string) => matches(path) || request.leftOut.includes(path);
  await checkContentSize(request, isLeftOut, disk);
  const seen: string[] = [];
  const hash = await disk.fingerprint([root], (_, path) => {
    const isExcluded = isLeftOut(path);
    if (!isExcluded) seen.push(path);
    return isExcluded;
  });
  const names = withoutFolders(seen);
  const code = { type: 'package', hash, name: `${baseName(root)}.tgz` } as const;
  if (await queue.hasPackage(hash)) return { code, bytes: 0, notes: [], names };
  const file = joinPath(staging, `${hash}-${request.mark}.tgz`);
  try {
    const { bytes, notes = [] } = await archiver.pack({
      ...{
        file,
        root,
        name: PACKAGE_NAME,
        isLeftOut,
        leavingLinks: 'leave-out',
        unreadable: 'leave-out',
        signal,
      },
    });
    if (bytes > request.mostBytes) throw packageTooLarge(root, bytes, request.mostBytes);
    const packed = await disk.readChunks(file);
    if (packed) await queue.savePackage(hash, packed);
    return { code, bytes, notes, names };
  } finally {
    await disk.remove(file);
  }
}

/** A folder that is larger by this factor hardly packs below the limit, and reading it takes minutes. */
const MOST_CONTENT = 8;

/** Checks file sizes only, before anything is read. */
async function checkContentSize(
  { root, mostBytes }: PackCodeRequest,
  isLeftOut: (path: string) => boolean,
  disk: Disk,
): Promise<void> {
  let bytes = 0;
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name, type } of await disk.list(joinPath(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (isLeftOut(path)) continue;
      if (type === 'folder') folders.push(path);
      if (type === 'file') bytes += (await disk.stat(joinPath(root, path)))?.size ?? 0;
      if (bytes > mostBytes * MOST_CONTENT) throw contentTooLarge(root, mostBytes);
    }
  }
}

/** The commit identifies the history of a repository; caches can be rebuilt. */
const ALWAYS_EXCLUDED = ['.git', '__pycache__', '.nightmark', 'node_modules'];

function withoutFolders(paths: readonly string[]): readonly string[] {
  const folders = new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))));
  return paths.filter((path) => !folders.has(path));
}

function contentTooLarge(root: string, most: number): NightmarkError {
  return new NightmarkError(
    'JOBS_PACKAGE_SIZE',
    `The code in ${root} has more than ${mib(most * MOST_CONTENT)}; a package of it may have ${mib(most)}.`,
    { hint: SIZE_HINT },
  );
}

function packageTooLarge(root: string, bytes: number, most: number): NightmarkError {
  return new NightmarkError(
    'JOBS_PACKAGE_SIZE',
    `The code in ${root} packs to ${mib(bytes)}; at most ${mib(most)} are taken.`,
    { hint: SIZE_HINT },
  );
}

const SIZE_HINT =
  'List data and results in .nightmarkignore (or .jobignore), use --exclude, or raise it with --max-package.';

function mib(size: number): string {
  return `${(size / 1024 / 1024).toFixed(1)} MiB`;
}

type Effects = Pick<WorkEffects, 'queue' | 'disk' | 'archiver' | 'env' | 'signal'>;

/** Root of the entries in a package, independent of the name of the folder. */
const PACKAGE_NAME = 'code';

/** Puts the code of a job into its folder, replacing what an earlier attempt left there. */
export async function prepareCode(job: Job, target: string, effects: Effects): Promise<void> {
  const { disk } = effects;
  await disk.remove(target);
  await disk.makeDir(target);
  if (job.code?.type === 'package') await unpackPackage(job.code.hash, target, effects);
  if (job.code?.type === 'path') await copyFolder(job.code.path, target, effects);
}

async function unpackPackage(hash: string, target: string, effects: Effects): Promise<void> {
  const bytes = await effects.queue.package(hash);
  if (bytes === undefined)
    throw new NightmarkError(
      'JOBS_NO_PACKAGE',
      `The package ${hash} of this job's code is not in the queue.`,
      {
        hint: 'It was deleted by hand, or the backup lacks it. Submit the job again.',
      },
    );
  const file = `${target}.tgz`;
  try {
    await writeAll(file, bytes, effects.disk);
    await effects.archiver.unpack(file, { into: target, prefix: PACKAGE_NAME, signal: effects.signal });
  } finally {
    await effects.disk.remove(file);
  }
}

async function writeAll(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  disk: Effects['disk'],
): Promise<void> {
  const writer = await disk.openWriter(file);
  try {
    for await (const piece of bytes) writer.write(piece);
    writer.finish();
  } finally {
    writer.discard();
  }
}

async function copyFolder(path: string, target: string, effects: Effects): Promise<void> {
  const { disk, archiver, signal } = effects;
  const root = expandVariables(path, effects.env);
  if ((await disk.stat(root))?.type !== 'folder')
    throw new NightmarkError('JOBS_NO_CODE', `The folder ${root} with the code of this job is not there.`, {
      hint: 'Make it visible to this worker, or submit a package of the code instead of a path.',
    });
  const isLeftOut = codeFilter(await readIgnoreFile(root, disk), []);
  const file = `${target}.tgz`;
  try {
    await archiver.pack({ file, root, name: PACKAGE_NAME, isLeftOut, leavingLinks: 'leave-out', signal });
    await archiver.unpack(file, { into: target, prefix: PACKAGE_NAME, signal });
  } finally {
    await disk.remove(file);
  }
}

/** Ignore patterns of a folder: its .nightmarkignore, else the old .jobignore. */
async function readIgnoreFile(root: string, disk: Effects['disk']): Promise<string> {
  return (
    (await disk.readText(joinPath(root, '.nightmarkignore'))) ??
    (await disk.readText(joinPath(root, '.jobignore'))) ??
    ''
  );
}

function expandVariables(path: string, env: Readonly<Record<string, string>>): string {
  return path.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced, bare) => env[braced ?? bare] ?? whole);
}

/**
 * Returns whether a path is excluded from the package. A pattern is a glob over the last name of a path, for files and
 * folders; an excluded folder excludes its content. Empty lines and lines that begin with "#" are comments.
 */
export function codeFilter(ignoreFile: string, excludes: readonly string[]): (path: string) => boolean {
  const patterns = [...ignoreFile.split('\n'), ...excludes]
    .map((line) => line.trim().replace(/\/+$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(componentPattern);
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return patterns.some((pattern) => pattern.test(name));
  };
}
