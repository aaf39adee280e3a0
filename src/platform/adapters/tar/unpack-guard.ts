import { NightmarkError } from '../../core/errors.ts';
import { damaged, escapes } from './tar-failures.ts';
import { entryType, type TarHeader } from './tar-header.ts';

/** An entry that may be written, with its place relative to the folder; the folder itself is the empty path. */
export type Admitted =
  | { readonly type: 'folder' | 'file'; readonly path: string }
  | { readonly type: 'symlink' | 'hardlink'; readonly path: string; readonly target: string };

/**
 * Decides, entry by entry in the order of the archive, what may be written below a folder. Knows what came before,
 * because two harmless entries can make a harmful pair: a link, and a file "behind" it.
 */
export class Guard {
  readonly #file: string;
  readonly #prefix: string;
  readonly #seen = new Map<string, 'folder' | 'file' | 'symlink'>();

  constructor(file: string, prefix: string) {
    this.#file = file;
    this.#prefix = partsOf(prefix).join('/');
  }

  /** Everything admitted so far that is a folder, also those that only their content implies. */
  get folders(): readonly string[] {
    return [...this.#seen].filter(([, kind]) => kind === 'folder').map(([path]) => path);
  }

  /** Undefined for an entry elsewhere in the archive. */
  admit(header: TarHeader): Admitted | undefined {
    const path = this.#pathOf(header.name);
    if (path === undefined) return undefined;
    const admitted = this.#toAdmitted(header, path);
    this.#refuseConflict(header.name, admitted);
    this.#seen.set(path, admitted.type === 'hardlink' ? 'file' : admitted.type);
    return admitted;
  }

  #pathOf(name: string): string | undefined {
    if (name.includes('\0')) throw damaged(this.#file, new Error('a name contains a NUL character'));
    const parts = partsOf(name);
    if (parts.includes('..')) throw escapes(this.#file, name, 'contains ".."');
    const path = parts.join('/');
    if (path === this.#prefix) return '';
    if (this.#prefix !== '' && path.startsWith(`${this.#prefix}/`))
      return path.slice(this.#prefix.length + 1);
    if (name.startsWith('/')) throw escapes(this.#file, name, 'is an absolute path to elsewhere');
    return this.#prefix === '' ? path : undefined;
  }

  #toAdmitted(header: TarHeader, path: string): Admitted {
    const { name, pax } = header;
    const type = entryType(header);
    if (Object.keys(pax ?? {}).some((key) => key.startsWith('GNU.sparse'))) throw this.#unsupported(name);
    if (type === 'other') throw escapes(this.#file, name, 'is a device, a pipe or another special file');
    if (path === '' && type !== 'folder') throw escapes(this.#file, name, 'would replace the folder itself');
    if (type !== 'link') return { type, path };

    const target = header.linkname ?? '';
    if (header.type === 'link') return { type: 'hardlink', path, target: this.#hardTarget(name, target) };
    const reason = whyLinkLeaves(path, target);
    if (reason !== undefined) throw escapes(this.#file, name, reason);
    return { type: 'symlink', path, target };
  }

  #hardTarget(name: string, target: string): string {
    const path = this.#pathOf(target);
    if (path !== undefined && this.#seen.get(path) === 'file') return path;
    throw escapes(this.#file, name, `is a hard link to ${target}, which is not a file that came before it`);
  }

  #refuseConflict(name: string, { path, type }: Admitted): void {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const parent = path.slice(0, slash);
      const kind = this.#seen.get(parent);
      if (kind === undefined) this.#seen.set(parent, 'folder');
      else if (kind !== 'folder')
        throw escapes(this.#file, name, `lies behind "${parent}", which is a ${kind}`);
    }
    const before = this.#seen.get(path);
    if (before === undefined || (before === type && type !== 'symlink')) return;
    throw escapes(this.#file, name, `comes twice, as ${before} and as ${type}`);
  }

  #unsupported(name: string): NightmarkError {
    return new NightmarkError('ARCHIVE_UNSUPPORTED', `${this.#file}: "${name}" is stored as a sparse file.`, {
      hint: 'Unpack the archive with GNU tar, and pack it again without --sparse.',
    });
  }
}

function partsOf(name: string): string[] {
  return name.split('/').filter((part) => part !== '' && part !== '.');
}

/**
 * Says why the symbolic link at `path` (relative to its root) may lead out of the root; undefined when it cannot.
 * ".." is allowed at the beginning only: behind a name, which may itself be a link, text and system disagree on
 * where it leads.
 */
export function whyLinkLeaves(path: string, target: string): string | undefined {
  if (target === '') return 'is a link to nothing';
  if (target.startsWith('/')) return `is a link to the absolute path ${target}`;
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const names = parts.findIndex((part) => part !== '..');
  const ups = names < 0 ? parts.length : names;
  if (parts.slice(ups).includes('..')) return `is a link to ${target}, with ".." behind a name`;
  const depth = path.split('/').length - 1;
  return ups > depth ? `is a link to ${target}, which is outside of the folder` : undefined;
}
