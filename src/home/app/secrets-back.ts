import type { ArchiveEntry } from '../../platform/core/archiver.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import {
  isSecretFile,
  LEFT_OUT,
  mayHoldSecretKeys,
  textKind,
  withSecretsOf,
} from '../../platform/core/secrets.ts';
import type { SecretPlace } from './backup-home.ts';

/** The texts of the present home that may know secrets, by path. */
export async function readPresentTexts(
  entries: readonly ArchiveEntry[],
  prefix: string,
  home: string,
  disk: Disk,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { path, type } of entries) {
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    const inHome = parts.slice(prefix === '' ? 0 : prefix.split('/').length).join('/');
    if (type !== 'file' || parts.includes('..') || !mayHoldSecretKeys(inHome)) continue;
    const text = await disk.readText(joinPath(home, inHome));
    if (text !== undefined) texts.set(inHome, text);
  }
  return texts;
}

/** Puts secrets back while an archive is unpacked, and keeps account of them. */
export class SecretsBackInto {
  readonly #present: ReadonlyMap<string, string>;
  readonly #kept: SecretPlace[] = [];
  readonly #missing: SecretPlace[] = [];
  /** Files that are secrets as a whole; the archive has only their names. */
  readonly wholeFiles: string[] = [];

  constructor(present: ReadonlyMap<string, string>) {
    this.#present = present;
  }

  readonly replace = (path: string, text: () => string): string | undefined => {
    if (isSecretFile(path)) {
      if (text().trim() === LEFT_OUT) this.wholeFiles.push(path);
      return undefined;
    }
    const kind = textKind(path);
    if (kind === undefined || !mayHoldSecretKeys(path)) return undefined;
    const back = withSecretsOf(this.#present.get(path), text(), kind);
    if (back && back.kept.length > 0) this.#kept.push({ file: path, keys: back.kept });
    if (back && back.missing.length > 0) this.#missing.push({ file: path, keys: back.missing });
    return back?.text;
  };

  /** Fetches the secret files of the home that was there before. Moved, not read: they need not be texts. */
  async settle(
    { into, previous }: { readonly into: string; readonly previous: string | undefined },
    disk: Disk,
  ): Promise<{ readonly kept: readonly SecretPlace[]; readonly missing: readonly SecretPlace[] }> {
    for (const file of this.wholeFiles) {
      const old = previous === undefined ? undefined : joinPath(previous, file);
      const isThere = old !== undefined && (await disk.stat(old)) !== undefined;
      if (isThere) await disk.rename(old, joinPath(into, file));
      (isThere ? this.#kept : this.#missing).push({ file, keys: [] });
    }
    return { kept: this.#kept, missing: this.#missing };
  }
}
