import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { codeFilter } from '../core/code-filter.ts';
import type { Job } from '../core/job.ts';
import type { WorkEffects } from './work-effects.ts';

type Effects = Pick<WorkEffects, 'queue' | 'disk' | 'archiver' | 'env' | 'signal'>;

/** Entries of packages of code are named by this and not by where the folder happened to be. */
export const PACKAGE_NAME = 'code';

/** Puts the code of a job into its folder, in the place of what an earlier attempt left there. */
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
  const root = expanded(path, effects.env);
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

/** Patterns that a folder of code leaves out: its .nightmarkignore, else the old .jobignore. */
export async function readIgnoreFile(root: string, disk: Effects['disk']): Promise<string> {
  return (
    (await disk.readText(joinPath(root, '.nightmarkignore'))) ??
    (await disk.readText(joinPath(root, '.jobignore'))) ??
    ''
  );
}

function expanded(path: string, env: Readonly<Record<string, string>>): string {
  return path.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced, bare) => env[braced ?? bare] ?? whole);
}
