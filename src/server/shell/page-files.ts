import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../platform/core/package-file.ts';

/** What scripts/build.mjs made of src/web. */
export interface PageFiles {
  readonly script: string;
  readonly preload: readonly string[];
  /** Chunks that each page needs, by its address. */
  readonly routes: Readonly<Record<string, readonly string[]>>;
  readonly style: string;
  /** The same as one classic script, for a page that is opened from disk. */
  readonly site: string;
  /** Text by name, with packed forms where there are any. */
  readonly files: ReadonlyMap<string, PageFile>;
}

export interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly br?: Buffer;
  readonly gzip?: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Read once: they are a few hundred kilobytes, and asked for by everybody. */
export function readPageFiles(): PageFiles {
  const folder = new URL(packageFile(import.meta.url, 'dist/page/'));
  const names = readdirSync(fileURLToPath(folder));
  const read = (name: string) => (names.includes(name) ? readFileSync(new URL(name, folder)) : undefined);
  const { script, preload, routes, style, site } = JSON.parse(String(read('manifest.json'))) as PageFiles;
  const files = new Map<string, PageFile>();
  for (const name of names) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    const plain = read(name);
    if (type === undefined || plain === undefined) continue;
    const [br, gzip] = [read(`${name}.br`), read(`${name}.gz`)];
    files.set(name, { type, plain, ...(br && { br }), ...(gzip && { gzip }) });
  }
  return { script, preload, routes, style, site, files };
}
