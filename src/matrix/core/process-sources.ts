import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import type { MatbenchBlock } from './matbench.ts';

export interface ProcessPlace {
  /** Folder of the configuration: its paths begin there. */
  readonly base: string;
  /** Where everything goes; absolute. */
  readonly out: string;
  /** As the caller gave it; absolute. It goes before that of the configuration. */
  readonly testDirectory?: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Sources {
  readonly dir: string;
  /** Present: old results are fetched and drawn again. */
  readonly download?: readonly string[];
  readonly plots: string;
}

/** Where the results and the plots come from. A folder that is given goes before everything that could be fetched. */
export function sourcesOf(
  { preset, configFile, download, testDirectory }: MatbenchBlock,
  place: ProcessPlace,
): Sources {
  const isAddress = preset?.includes('://') ?? false;
  const presetFile = preset === null || isAddress ? undefined : `${preset}.yaml`;
  const plots = resolvePath(place.base, presetFile ?? configFile);
  const given =
    place.testDirectory ?? (testDirectory === null ? undefined : resolvePath(place.base, testDirectory));
  if (given !== undefined) return { dir: given, plots };
  const url = isAddress ? preset : download.url;
  const urlFile = presetFile ?? download.urlFile;
  const words =
    url !== null
      ? ['--url', url]
      : urlFile === null
        ? undefined
        : ['--url-file', resolvePath(place.base, urlFile)];
  if (words) return { dir: resolvePath(place.base, '.nightmark/downloads'), download: words, plots };
  throw new NightmarkError(
    'MATRIX_NOTHING_TO_PROCESS',
    'The configuration does not say which results to process.',
    {
      hint: 'Give --test-directory DIR, or one of matbench.test_directory, matbench.download.url and matbench.preset.',
    },
  );
}
