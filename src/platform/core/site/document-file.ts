import { siteFileName } from './file-name.ts';

/**
 * The file of a static site that holds the document at an address below /api: "runs/a" is "data/runs/a.js". Parameters
 * become part of the name, the same in any order;
 * those of one name stay in theirs, as they are the parts of a path.
 */
export function documentFile(address: string): string {
  const [place = '', query = ''] = address.split(/\?(.*)/s);
  const parts = place.split('/').map(decodeURIComponent);
  const pairs = query === '' ? [] : query.split('&').map(decodeURIComponent).sort(byName);
  const name = [parts.pop() ?? '', ...pairs].join('&');
  return `data/${[...parts, name].map(siteFileName).join('/')}.js`;
}

function byName(a: string, b: string): number {
  const [one, other] = [nameOf(a), nameOf(b)];
  return one === other ? 0 : one < other ? -1 : 1;
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0] ?? '';
}
