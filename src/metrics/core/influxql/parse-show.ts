import type { Show, ShowWhat } from './ast.ts';
import { parseExpression, parsePattern } from './parse-expression.ts';
import { parseMeasurements, parseSlice } from './parse-select.ts';
import type { TokenReader } from './token-reader.ts';

const KINDS =
  'CONTINUOUS DATABASES DIAGNOSTICS FIELD GRANTS MEASUREMENT MEASUREMENTS QUERIES RETENTION SERIES SHARD SHARDS STATS SUBSCRIPTIONS TAG USERS';

/** What follows SHOW. */
export function parseShow(tokens: TokenReader): Show {
  const what = parseWhat(tokens);
  const database = tokens.take('ON') ? { database: tokens.name() } : {};
  if (what === 'databases' || what === 'policies') {
    return { kind: 'show', what, ...database, sources: [], rows: { limit: 0, offset: 0 } };
  }
  const measured = what === 'measurements' ? parseWithMeasurement(tokens) : [];
  const sources = tokens.take('FROM') ? parseMeasurements(tokens) : measured;
  const withKey = what === 'tag values' ? { withKey: parseWithKey(tokens) } : {};
  const where = tokens.take('WHERE') ? { where: parseExpression(tokens) } : {};
  return {
    kind: 'show',
    what,
    ...database,
    sources,
    ...where,
    rows: parseSlice(tokens, 'LIMIT', 'OFFSET'),
    ...withKey,
  };
}

function parseWhat(tokens: TokenReader): ShowWhat {
  const kind = tokens.oneOf(...KINDS.split(' '));
  if (kind === 'DATABASES') return 'databases';
  if (kind === 'MEASUREMENTS') return 'measurements';
  if (kind === 'SERIES') return 'series';
  if (kind === 'RETENTION') {
    tokens.need('POLICIES');
    return 'policies';
  }
  if (kind === 'FIELD') {
    if (!tokens.take('KEYS')) throw tokens.unexpected('KEY, KEYS');
    return 'field keys';
  }
  if (kind === 'TAG') {
    if (tokens.take('KEYS')) return 'tag keys';
    if (tokens.take('VALUES')) return 'tag values';
    throw tokens.unexpected('KEY, KEYS, VALUES');
  }
  throw tokens.unexpected(`what Nightmark keeps after SHOW, not ${kind}`);
}

function parseWithMeasurement(tokens: TokenReader) {
  if (!tokens.take('WITH')) return [];
  tokens.need('MEASUREMENT');
  if (tokens.take('=~')) return [{ kind: 'measurement' as const, name: parsePattern(tokens).pattern }];
  if (!tokens.take('=')) throw tokens.unexpected('=, =~');
  return parseMeasurements(tokens);
}

function parseWithKey(tokens: TokenReader): (key: string) => boolean {
  tokens.need('WITH');
  tokens.need('KEY');
  if (tokens.take('=~') || tokens.is('!~')) {
    const isNegated = tokens.take('!~');
    const { pattern } = parsePattern(tokens);
    return (key) => pattern.test(key) !== isNegated;
  }
  if (tokens.take('IN')) {
    tokens.need('(');
    const keys = new Set<string>();
    do keys.add(tokens.name());
    while (tokens.take(','));
    tokens.need(')');
    return (key) => keys.has(key);
  }
  const isNegated = tokens.take('!=');
  if (!isNegated && !tokens.take('=')) throw tokens.unexpected('IN, =, =~');
  const wanted = tokens.name();
  return (key) => (key === wanted) !== isNegated;
}
