/**
 * The file of a static site that holds the document at an address below /api: "runs/a" is "data/runs/a.js". Parameters
 * become part of the name, in any order the same. Every character that a file system or a web server may understand
 * otherwise is written as "~" and its number.
 */
export function documentFile(path: string): string {
  const [place = '', query = ''] = path.split('?', 2);
  const parts = place.split('/').map((part) => fileName(decodeURIComponent(part)));
  const pairs = query === '' ? [] : query.split('&').sort();
  const name = [parts.join('/'), ...pairs.map((pair) => fileName(decodeURIComponent(pair)))].join('+');
  return `data/${name}.js`;
}

/** A name of a folder or file: nothing that leads elsewhere, none that is hidden. */
function fileName(text: string): string {
  const escaped = text.replace(
    /[^A-Za-z0-9_=,. -]/gu,
    (character) => `~${character.codePointAt(0)?.toString(16)}~`,
  );
  return escaped.replace(/^\./, '~2e~');
}
