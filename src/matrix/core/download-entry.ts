import type { Settings } from '../../formats/core/kpi/matrix-entry.ts';

/** One tree to be fetched. */
export interface DownloadEntry {
  readonly url: string;
  /** Relative to the folder of results; of names only. */
  readonly folder: string;
  /** Written beside the tree, for every test below. */
  readonly settings?: Settings;
}

/** Where a single address goes, as in the original. */
export const SINGLE_FOLDER = 'expe/from_url';
