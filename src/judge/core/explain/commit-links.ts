import { segment } from '../../../platform/core/text/html.ts';

/** Where a repository can be read with a browser. */
export interface RepositoryPages {
  commit(hash: string): string;
  /** What came between two commits; absent where that has no page. */
  readonly between?: (from: string, to: string) => string;
}

/** Addresses come from repositories and files of others: only those of pages are followed. */
export function isPage(link: string | undefined): link is string {
  return link !== undefined && /^https?:\/\//i.test(link);
}

/** Pages by a template of the definition: "https://git.example.org/x/commit/{commit}". */
export function templatePages(template: string): RepositoryPages {
  return { commit: (hash) => template.replaceAll('{commit}', segment(hash)) };
}

/**
 * Pages of a repository by the address it is fetched from; undefined where no known host is behind it. Only the host
 * and the path are taken over: a user, a password or a token in the address never gets into a link.
 */
export function repositoryPages(remote: string): RepositoryPages | undefined {
  const place = placeOf(remote.trim());
  if (place === undefined) return undefined;
  const form = FORMS.find(({ host }) => host.test(place.host));
  if (form === undefined) return undefined;
  const base = `${place.scheme}://${place.host}${place.port}/${place.path.map(segment).join('/')}`;
  return {
    commit: (hash) => `${base}/${form.commit}/${segment(hash)}`,
    between: (from, to) => `${base}/${form.between(segment(from), segment(to))}`,
  };
}

interface PagePlace {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** ":8443", or nothing. */
  readonly port: string;
  readonly path: readonly string[];
}

/** A name of a host as a word of it: gitlab.example.org, my-gitea.example.org, and the well-known ones. */
const FORMS = [
  {
    host: /(^|[.-])gitlab([.-]|$)/,
    commit: '-/commit',
    between: (from: string, to: string) => `-/compare/${from}...${to}`,
  },
  {
    host: /^bitbucket\.org$/,
    commit: 'commits',
    between: (from: string, to: string) => `branches/compare/${to}..${from}`,
  },
  {
    host: /(^|[.-])(github|gitea|forgejo|codeberg|gogs)([.-]|$)/,
    commit: 'commit',
    between: (from: string, to: string) => `compare/${from}...${to}`,
  },
];

function placeOf(remote: string): PagePlace | undefined {
  const [, scheme, address, port = '', urlPath] = URL_FORM.exec(remote) ?? [];
  if (scheme !== undefined && address !== undefined && urlPath !== undefined) {
    const isWeb = /^https?$/i.test(scheme);
    // The port of ssh is not that of the pages.
    const place = { host: address, port: isWeb ? port : '', path: urlPath };
    return checked({ ...place, scheme: scheme.toLowerCase() === 'http' ? 'http' : 'https' });
  }
  const [, host, path] = SCP_FORM.exec(remote) ?? [];
  return host === undefined || path === undefined
    ? undefined
    : checked({ scheme: 'https', host, port: '', path });
}

/** scheme://anything@host:port/path; the last @ before the path ends what is secret. */
const URL_FORM = /^(https?|ssh|git|git\+ssh):\/\/(?:[^/?#]*@)?([^/?#@:]+)(:\d{1,5})?\/([^?#]+)/i;
/** git@host:path */
const SCP_FORM = /^(?:[^/@:]+@)?([^/@:]+):(?!\/\/)([^?#]+)$/;

function checked({ host, path, ...rest }: Omit<PagePlace, 'path'> & { readonly path: string }) {
  const parts = path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter((part) => part !== '');
  const isPlain = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host) && host.includes('.');
  const isPath = parts.length >= 2 && !parts.some((part) => part === '.' || part === '..');
  return isPlain && isPath ? { ...rest, host: host.toLowerCase(), path: parts } : undefined;
}
