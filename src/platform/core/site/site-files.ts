import { sha256 } from '../text/sha256.ts';

/**
 * The name of a file for a name that may hold anything: the same on every disk, in every URL and in S3, and different
 * for different names, also on disks that ignore case.
 */
export function siteFileName(name: string): string {
  if (/^[a-z\d][a-z\d._-]*$/.test(name) && name.length <= LONGEST) return name;
  const plain = name
    .toLowerCase()
    .replace(/[^a-z\d._-]/g, '-')
    .replace(/^[._-]+/, '');
  return `${plain.slice(0, LONGEST) || 'name'}~${sha256(name).slice(0, MARK)}`;
}

const LONGEST = 60;
/** 2^48 names: no two of a home meet. */
const MARK = 12;

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

/** Where a file of an experiment is in a static site: graphs by their path, data files by their name. */
export function artifactPath(kind: 'graph' | 'data', experiment: string, file: string): string {
  const base = `artifacts/${siteFileName(experiment)}/${kind}`;
  // A night's data file keeps its name: links to it stay good.
  if (kind === 'data') return `${base}/${file}`;
  const parts = file.split('/');
  const name = parts.pop() ?? '';
  const dot = name.lastIndexOf('.');
  const ending = name.slice(dot + 1).toLowerCase();
  return [base, ...parts.map(siteFileName), `${siteFileName(name.slice(0, dot))}.${ending}`].join('/');
}

/**
 * A document of a static site: one call with a path and a JSON text. Pages opened from disk may not fetch files, but
 * they may load scripts; and as the JSON is a string literal, nothing of what experiments wrote is ever executed.
 */
export function documentText(path: string, content: unknown): string {
  return `${CALL}(${literal(path)},${literal(JSON.stringify(content))});\n`;
}

/** What `documentText` was given; undefined when the text is another one. */
export function readDocument(text: string): { readonly path: string; readonly content: unknown } | undefined {
  if (!text.startsWith(`${CALL}(`) || !text.endsWith(');\n')) return undefined;
  try {
    const [path, json] = JSON.parse(`[${text.slice(CALL.length + 1, -3)}]`) as [unknown, unknown];
    if (typeof path !== 'string' || typeof json !== 'string') return undefined;
    return { path, content: JSON.parse(json) as unknown };
  } catch {
    return undefined;
  }
}

/** The function that a page defines before it loads a document. */
const CALL = 'nightmarkDocument';

/** Safe in a script file and between script tags: no character that ends a line or opens a tag. */
function literal(text: string): string {
  const code = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replace(/[<\u2028\u2029]/g, code);
}
