import { siteFileName } from './file-name.ts';

/**
 * The file of a static site that holds the document at an address below /api: "runs/a" is "data/runs/a.js". Parameters
 * become part of the name, the same in any order.
 */
export function documentFile(address: string): string {
  const [place = '', query = ''] = address.split(/\?(.*)/s);
  const parts = place.split('/').map(decodeURIComponent);
  const pairs = query === '' ? [] : query.split('&').map(decodeURIComponent).sort();
  const name = [parts.pop() ?? '', ...pairs].join('&');
  return `data/${[...parts, name].map(siteFileName).join('/')}.js`;
}
