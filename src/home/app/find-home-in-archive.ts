import type { ArchiveEntry } from '../../platform/core/archiver.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

/**
 * The folder of an archive that is a home: the outermost one with a definition in it. An archive of the original
 * dashboard is named by an absolute path, one made by hand may begin anywhere.
 */
export function findHome(file: string, entries: readonly ArchiveEntry[]): string {
  const paths = entries.map(({ path, type }) => ({ path: path.split('/').filter(isName).join('/'), type }));
  const folders = new Set(paths.filter(({ type }) => type === 'folder').map(({ path }) => path));
  const tops = new Set(paths.map(({ path }) => path.split('/')[0]));
  const isFolder = (path: string) =>
    folders.has(path) || folders.size === 0 || (path === '' && tops.size > 1);
  const candidates = new Set<string>();
  for (const { path, type } of paths) {
    const folder = type === 'folder' ? undefined : homeOf(path, isFolder);
    if (folder !== undefined) candidates.add(folder);
  }
  const [first, second] = [...candidates].sort((a, b) => depth(a) - depth(b));
  if (first === undefined) {
    throw new NightmarkError('RESTORE_NO_HOME', `${file} holds no home: ${entries.length} entries.`, {
      hint: 'A home has a config.json, a config/config.json or a nightmark.yml. Look with "tar -tzf".',
    });
  }
  if (second !== undefined && depth(second) === depth(first)) {
    throw new NightmarkError('RESTORE_NO_HOME', `${file} holds more than one home: ${first} and ${second}.`, {
      hint: 'Unpack it with tar and restore by hand.',
    });
  }
  return first;
}

/** The home that a definition file makes of its folder; configurations of tasks make none. */
function homeOf(path: string, isFolder: (path: string) => boolean): string | undefined {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  if (/^nightmark\.ya?ml$/.test(name)) return parts.join('/');
  if (name !== 'config.json' || /(^|\/)config\/(experiments|subsystem)\/[^/]+\/config\.json$/.test(path)) {
    return undefined;
  }
  // The folder of a home may itself be called "config": then what is around it is not in the archive.
  const outer = parts.slice(0, -1).join('/');
  return parts.at(-1) === 'config' && isFolder(outer) ? outer : parts.join('/');
}

const isName = (part: string) => part !== '' && part !== '.';
const depth = (path: string) => (path === '' ? 0 : path.split('/').length);
