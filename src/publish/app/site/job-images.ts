import { type JobView, jobImagePath } from '../../../jobs/core/job-documents.ts';
import { isHarmlessSvgFile } from '../../../platform/core/site/harmless-svg.ts';
import type { SiteFile } from '../../core/site/site-file.ts';
import { type ByteTools, hashBytes } from './load-file.ts';

export interface JobImageEffects extends ByteTools {
  document(address: string): Promise<unknown>;
  /** The bytes of a file of a job, confined to its folder as by the server; undefined where there is none. */
  jobFile(id: string, path: string): Promise<Uint8Array | undefined>;
}

/** Of the pictures of one job: plots are some ten thousand bytes, and a site has a hundred jobs. */
const MOST_BYTES = 2 * 1024 * 1024;

/** The pictures that a job told of, as far as they are small; the others are said not to be part of the copy. */
export async function jobImages(id: string, effects: JobImageEffects): Promise<readonly SiteFile[]> {
  const address = `jobs/${encodeURIComponent(id)}`;
  const { images = {} } = ((await effects.document(address)) ?? {}) as Partial<JobView>;
  const paths = new Set(Object.values(images));
  if (paths.size === 0) return [];
  const { files = [] } = ((await effects.document(`${address}/files`)) ?? {}) as Partial<Listing>;
  const made = new Map<string, SiteFile>();
  let left = MOST_BYTES;
  for (const { path, bytes: size } of files) {
    const to = paths.has(path) ? jobImagePath(id, path) : undefined;
    if (to === undefined || size > left) continue;
    const bytes = await effects.jobFile(id, path);
    if (bytes === undefined || bytes.length > left || !isSafe(path, bytes)) continue;
    left -= bytes.length;
    made.set(to, fileOf(to, bytes, effects));
  }
  return [...made.values()];
}

interface Listing {
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

function fileOf(path: string, bytes: Uint8Array, tools: ByteTools): SiteFile {
  return {
    path,
    isNamed: false,
    stamp: hashBytes(bytes, tools),
    async *bytes() {
      yield bytes;
    },
  };
}

function isSafe(path: string, bytes: Uint8Array): boolean {
  return !/\.svg$/i.test(path) || isHarmlessSvgFile(bytes);
}
