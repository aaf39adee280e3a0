import { httpSender, type LineSender, udpSender } from './line-senders.ts';

/** The default of Telegraf's socket listener, and of `nightmark serve`. */
const DEFAULT_PORT = 8092;
const DEFAULT_DATABASE = 'nightmark';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Destination {
  readonly sender: LineSender;
  /** For people: without a token. */
  readonly address: string;
  /** For HTTP, which has databases. */
  readonly place?: { readonly url: string; readonly database: string };
}

/**
 * The receiver that the environment names: NIGHTMARK_METRICS_URL, else JOBMONITOR_TELEGRAF_HOST and _PORT, else this
 * machine.
 */
export function destinationFrom(env: Environment): Destination | undefined {
  const url = env['NIGHTMARK_METRICS_URL'] ?? '';
  if (url !== '') return destinationOf(url, env['NIGHTMARK_TOKEN']);
  const host = env['JOBMONITOR_TELEGRAF_HOST'] || '127.0.0.1';
  return destinationOf(`udp://${host}:${env['JOBMONITOR_TELEGRAF_PORT'] || DEFAULT_PORT}`);
}

/** udp://HOST:PORT, udp:HOST:PORT, or http(s)://HOST:PORT[?db=NAME]; undefined when it is none of these. */
export function destinationOf(
  text: string,
  token?: string,
  { holds = false }: { holds?: boolean } = {},
): Destination | undefined {
  const url = parseUrl(text.replace(/^udp:(?!\/\/)/, 'udp://'));
  if (!url || url.hostname === '' || url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'udp:') {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(url.port || DEFAULT_PORT);
    return { sender: udpSender(host, port), address: `udp://${url.hostname}:${port}` };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/write$/, '')}`;
  const database = url.searchParams.get('db') || DEFAULT_DATABASE;
  const sender = httpSender({ url: base, database, holds, ...(token !== undefined && { token }) });
  return { sender, address: `${base}?db=${database}`, place: { url: base, database } };
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Tags of every point: those of the run, then NIGHTMARK_METRICS_TAGS (`k=v,k2=v2`, with \, and \= as escapes). */
export function tagsFrom(env: Environment): Record<string, string> {
  const tags: Record<string, string> = {};
  if (env['NIGHTMARK_RUN_ID']) tags['run'] = env['NIGHTMARK_RUN_ID'];
  if (env['NIGHTMARK_EXPERIMENT']) tags['experiment'] = env['NIGHTMARK_EXPERIMENT'];
  for (const pair of (env['NIGHTMARK_METRICS_TAGS'] ?? '').match(/(?:\\.|[^,\\]|\\$)+/g) ?? []) {
    const [, key, value] = /^((?:\\.|[^=\\])+)=(.*)$/s.exec(pair.trim()) ?? [];
    if (key !== undefined && value) tags[plain(key)] = plain(value);
  }
  return tags;
}

function plain(text: string): string {
  return text.replace(/\\([,= \\])/g, '$1');
}
