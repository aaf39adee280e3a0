import type { FastifyRequest } from 'fastify';

export const COOKIE = 'nightmark';

/** What a request shows of tokens. */
export interface ShownTokens {
  /** Each may be one: clients differ in how they send it. */
  readonly tokens: readonly string[];
  /** What a browser keeps that has logged in. */
  readonly seal?: string;
}

/** A program shows the token in a header, a browser what it got when it logged in. */
export function tokensOfReader({ headers }: FastifyRequest): ShownTokens {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return { tokens: [bearer] };
  const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const seal = cookies.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
  return { tokens: [], ...(seal && { seal }) };
}

/** Clients of InfluxDB: "Bearer x", "Token x" (also "Token user:x"), Basic, and the parameters u and p. */
export function tokensOfClient({ headers, query }: FastifyRequest): ShownTokens {
  const [, scheme = '', text = ''] = /^(Bearer|Token|Basic) +(.+)$/i.exec(headers.authorization ?? '') ?? [];
  const parameter = (query as Record<string, unknown>)['p'];
  const isBasic = scheme.toLowerCase() === 'basic';
  const shown = isBasic ? Buffer.from(text, 'base64').toString() : text;
  const colon = shown.indexOf(':');
  const tokens = isBasic ? [] : [shown];
  if (colon >= 0) tokens.push(shown.slice(colon + 1));
  if (typeof parameter === 'string') tokens.push(parameter);
  return { tokens: tokens.filter((one) => one !== '') };
}
