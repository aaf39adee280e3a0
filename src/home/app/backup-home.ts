import type { Archiver } from '../../platform/core/archiver.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { isInside, resolvePath } from '../../platform/core/path.ts';
import {
  isSecretFile,
  LEFT_OUT,
  mayHoldSecretKeys,
  textKind,
  withoutSecrets,
} from '../../platform/core/secrets.ts';
import { labelOfBackup, labelOfRawArchive } from '../core/home-layout.ts';

export interface BackupRequest {
  /** Absolute, as is the file. */
  readonly home: string;
  readonly file: string;
  /** Absolute paths that the configuration may have put inside the home: its tmp, backup and setup folders. */
  readonly alsoLeftOut?: readonly string[];
  readonly signal?: CancelSignal;
}

export interface BackupReport {
  readonly file: string;
  readonly entries: number;
  readonly bytes: number;
  readonly secrets: readonly SecretPlace[];
  /** What else is not in the backup as it is on disk, one sentence each. */
  readonly notes: readonly string[];
}

/** Where a secret was left out. */
export interface SecretPlace {
  /** Relative to the home. */
  readonly file: string;
  /** None: the whole file is a secret. */
  readonly keys: readonly string[];
}

/** Packs a home without what can be made again and without secrets, then reads the backup to its end. */
export async function backupHome(
  { home, file, alsoLeftOut = [], signal }: BackupRequest,
  { disk, archiver }: { readonly disk: Disk; readonly archiver: Archiver },
): Promise<BackupReport> {
  const root = resolvePath('/', home);
  const foreign = await pathsInside(root, alsoLeftOut, disk);
  const secrets: SecretPlace[] = [];
  const cancel = signal ? { signal } : {};
  const packed = await archiver.pack({
    file,
    root,
    isLeftOut: (path) => foreign.has(path) || isTemporary(path),
    replace: (path, text, size) => {
      const clean = contentFor(path, text, size);
      if (clean) secrets.push({ file: path, keys: clean.leftOut });
      return clean?.text;
    },
    // Kept, they would make the archive one that restore refuses.
    leavingLinks: 'leave-out',
    // A backup without one locked folder is better than none; the notes list what is not in it.
    unreadable: 'leave-out',
    ...cancel,
  });
  const bytes = await archiver.contentBytes(file, signal);
  if (bytes !== packed.contentBytes) {
    await disk.remove(file);
    throw new NightmarkError(
      'BACKUP_INCOMPLETE',
      `${file} holds ${bytes} bytes, but ${packed.contentBytes} were written; it was removed.`,
      { hint: 'Try again; if it happens again, check the disk.' },
    );
  }
  return { file, entries: packed.entries, bytes: packed.bytes, secrets, notes: packed.notes ?? [] };
}

/** Larger than any configuration; searching the text of a data set would take long and find nothing. */
const MAX_CONFIG_BYTES = 16 * 1024 * 1024;

function contentFor(path: string, text: () => string, size: number): ReturnType<typeof withoutSecrets> {
  if (isSecretFile(path)) return { text: `${LEFT_OUT}\n`, leftOut: [] };
  const kind = textKind(path);
  if (kind === undefined || size > MAX_CONFIG_BYTES || !mayHoldSecretKeys(path)) return undefined;
  return withoutSecrets(text(), kind);
}

/** The index and caches are made again, locks and temporary files are of running processes, a backup holds no backups. */
function isTemporary(path: string): boolean {
  return (
    /^\.nightmark\/(index\.db[^/]*|lock[^/]*|cache|tmp|backups|setup|staging|trash|current|[^/]*\.tmp)$/.test(
      path,
    ) ||
    /(^|\/)\.nightmark-\d+-\d+\.tmp$/.test(path) ||
    labelOfBackup(path) !== undefined ||
    labelOfRawArchive(path) !== undefined
  );
}

/** Relative paths of those below the home, also when home and configuration name it differently through a link. */
async function pathsInside(home: string, paths: readonly string[], disk: Disk): Promise<ReadonlySet<string>> {
  const roots = [home, ...((await disk.stat(home)) ? [await disk.realPath(home)] : [])];
  const found = new Set<string>();
  for (const path of paths.map((given) => resolvePath('/', given))) {
    for (const root of roots)
      if (path !== root && isInside(path, root)) found.add(path.slice(root.length + 1));
  }
  return found;
}
