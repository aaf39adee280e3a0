import { documentFile, siteFileName } from '../../platform/core/site/site-files.ts';

const SHOWN = /\.(?:png|jpe?g|gif|webp|svg)$/i;

/** Where a picture of a job is in a static site, beside its document; undefined: it is no picture that is published. */
export function jobImagePath(id: string, path: string): string | undefined {
  const [ending] = SHOWN.exec(path) ?? [];
  if (ending === undefined) return undefined;
  const job = documentFile(`jobs/${encodeURIComponent(id)}`).replace(/\.js$/, '');
  return `${job}-${siteFileName(path.slice(0, -ending.length))}${ending.toLowerCase()}`;
}
