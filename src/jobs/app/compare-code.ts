import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { Job } from '../core/job.ts';
import { type LineDiff, lineDiff } from '../core/line-diff.ts';
import { prepareCode } from './code-package.ts';
import type { WorkEffects } from './work-effects.ts';

/** The files of two packages of code. */
export interface ComparedCode {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly ChangedFile[];
  readonly equal: number;
}

export type ChangedFile =
  | { readonly path: string; readonly type: 'text'; readonly diff: LineDiff }
  | { readonly path: string; readonly type: 'binary' | 'large' };

/** Larger files are reported as changed, without a line diff. */
const LARGEST_TEXT = 1024 * 1024;
const PIECE = 1024 * 1024;

type Effects = Pick<WorkEffects, 'queue' | 'disk' | 'archiver' | 'env' | 'signal'>;

/** Undefined: one of them has no package, or both have the same. Unpacks into `staging`, and leaves nothing there. */
export async function compareCode(
  jobs: readonly [Job, Job],
  staging: string,
  effects: Effects,
): Promise<ComparedCode | undefined> {
  const [before, after] = jobs.map(({ code }) => (code?.type === 'package' ? code.hash : undefined));
  if (before === undefined || after === undefined || before === after) return undefined;
  const [left, right] = [joinPath(staging, 'before'), joinPath(staging, 'after')];
  try {
    await prepareCode(jobs[0], left, effects);
    await prepareCode(jobs[1], right, effects);
    return await compareTrees(left, right, effects.disk);
  } finally {
    await effects.disk.remove(staging);
  }
}

async function compareTrees(left: string, right: string, disk: Disk): Promise<ComparedCode> {
  const [before, after] = [await filesBelow(left, disk), await filesBelow(right, disk)];
  const [inBefore, inAfter] = [new Set(before), new Set(after)];
  const changed: ChangedFile[] = [];
  const both = before.filter((path) => inAfter.has(path));
  for (const path of both) {
    const change = await compareFile(path, [joinPath(left, path), joinPath(right, path)], disk);
    if (change) changed.push(change);
  }
  return {
    added: after.filter((path) => !inBefore.has(path)),
    removed: before.filter((path) => !inAfter.has(path)),
    changed,
    equal: both.length - changed.length,
  };
}

/** Links lead nowhere outside a package, and are not followed. */
async function filesBelow(root: string, disk: Disk, below = ''): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, type } of await disk.list(joinPath(root, below))) {
    const path = joinPath(below, name);
    if (type === 'file') found.push(path);
    if (type === 'folder') for (const inner of await filesBelow(root, disk, path)) found.push(inner);
  }
  return found;
}

async function compareFile(
  path: string,
  [left, right]: readonly [string, string],
  disk: Disk,
): Promise<ChangedFile | undefined> {
  const [before, after] = [await disk.stat(left), await disk.stat(right)];
  const isSmall = (before?.size ?? 0) <= LARGEST_TEXT && (after?.size ?? 0) <= LARGEST_TEXT;
  if (before?.size === after?.size && (await isSameContent(left, right, disk))) return undefined;
  if (!isSmall) return { path, type: 'large' };
  const [old = '', now = ''] = [await disk.readText(left), await disk.readText(right)];
  if (old.includes('\0') || now.includes('\0')) return { path, type: 'binary' };
  return { path, type: 'text', diff: lineDiff(old, now) };
}

async function isSameContent(left: string, right: string, disk: Disk): Promise<boolean> {
  for (let offset = 0; ; offset += PIECE) {
    const [a, b] = [await disk.readFrom(left, offset, PIECE), await disk.readFrom(right, offset, PIECE)];
    if (a === undefined || b === undefined || a.length !== b.length) return false;
    if (a.some((byte, at) => byte !== b[at])) return false;
    if (a.length < PIECE) return true;
  }
}
