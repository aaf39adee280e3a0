import type { ArchiveEntry } from '../../../core/archiver.ts';
import type { CancelSignal } from '../../../core/cancel-signal.ts';
import type { TarHeader } from './headers.ts';
import { readEntries } from './read-entries.ts';

export async function listArchive(file: string, signal?: CancelSignal): Promise<readonly ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  await readEntries({ file, signal, onEntry: (header) => void entries.push(toEntry(header)) });
  return entries;
}

function toEntry(header: TarHeader): ArchiveEntry {
  const { name: path, size = 0, linkname } = header;
  const type = entryType(header);
  return { path, type, size, ...(type === 'link' && linkname ? { linkTarget: linkname } : {}) };
}

/** Hard links count as links too. */
export function entryType({ type, name }: TarHeader): ArchiveEntry['type'] {
  switch (type) {
    case 'file':
    case 'contiguous-file':
      // Old tars mark a folder by its slash only.
      return name.endsWith('/') ? 'folder' : 'file';
    case 'directory':
      return 'folder';
    case 'symlink':
    case 'link':
      return 'link';
    default:
      return 'other';
  }
}
