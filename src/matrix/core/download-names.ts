import { whyInvalidName } from '../../platform/core/path.ts';

/** As most file systems have them. */
const LONGEST_NAME = 255;
/** What a path may have below the folder, so that the whole stays within 4096. */
const LONGEST_PATH = 3_000;
const DEEPEST = 64;

/** Says why an entry of a foreign listing is not written under its name; undefined when it may be. */
export function whyNotTaken(name: string, folder: string): string | undefined {
  const why = whyInvalidName(name);
  if (why !== undefined) return why;
  if (name === '.nightmark') return 'that name is ours';
  if (/\p{Cc}/u.test(name)) return 'it has a control character';
  if (name.includes('\\')) return 'it contains "\\"';
  if (utf8Length(name) > LONGEST_NAME) return `it is longer than ${LONGEST_NAME} bytes`;
  if (utf8Length(folder) + utf8Length(name) > LONGEST_PATH) return 'its path is too long';
  return folder.split('/').length > DEEPEST ? `it lies deeper than ${DEEPEST} folders` : undefined;
}

/** Equal for names that are one file on a disk that does not tell upper from lower case. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
