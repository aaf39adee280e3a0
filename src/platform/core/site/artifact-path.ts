import { siteFileName } from './file-name.ts';

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
