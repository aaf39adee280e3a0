/** Bytes of a name that every file system takes, with room for a number and the ending of a temporary file. */
const MAX_LENGTH = 120;

/** Names of files for groups whose names come from devices: none leaves its folder, is hidden or meets another. */
export function fileNames(groups: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return groups.map((group) => {
    const safe = safeName(group);
    let name = safe;
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${safe}-${count}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

function safeName(group: string): string {
  const plain = [...group]
    .map((character) => (character < ' ' || character === '/' || character === '\u007f' ? '_' : character))
    .join('')
    .replace(/^\./, '_');
  // Up to four bytes a character.
  const short = [...plain].slice(0, isAscii(plain) ? MAX_LENGTH : MAX_LENGTH / 4).join('');
  return short === '' ? '_' : short;
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
