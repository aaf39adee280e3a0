import { sha256 } from '../text/sha256.ts';

/**
 * The name of a file for a name that may hold anything: the same on every disk, in every URL and in S3, and different
 * for different names, also on disks that do not tell capitals apart.
 */
export function siteFileName(name: string): string {
  if (/^[a-z\d][a-z\d._-]*$/.test(name) && name.length <= LONGEST) return name;
  const plain = name
    .toLowerCase()
    .replace(/[^a-z\d._-]/g, '-')
    .replace(/^[._-]+/, '');
  return `${plain.slice(0, LONGEST) || 'name'}~${sha256(name).slice(0, MARK)}`;
}

const LONGEST = 60;
/** 2^48 names: no two of a home meet. */
const MARK = 12;
