import type { Pattern } from '../../../../platform/core/patterns/pattern.ts';
import type {
  Expression,
  Fill,
  MeasurementSource,
  Select,
  SelectedField,
  Show,
  ShowWhat,
  Slice,
  Source,
  Statement,
} from './ast.ts';
import { syntaxError, TokenReader } from './lexer.ts';
import { parseExpression, parsePattern } from './parse-expression.ts';
import { withZone, type Zone, zoneOf } from './time-zone.ts';

const STARTS = 'SELECT, DELETE, SHOW, CREATE, DROP, EXPLAIN, GRANT, REVOKE, ALTER, SET, KILL';

/** All statements of a query, separated by semicolons. Throws QUERY_SYNTAX with InfluxDB's message. */
export function parseQuery(text: string): readonly Statement[] {
  const tokens = new TokenReader(text);
  const statements: Statement[] = [];
  for (;;) {
    while (tokens.take(';')) {}
    if (tokens.peek().kind === 'end') return statements;
    statements.push(parseStatement(tokens));
    if (tokens.peek().kind !== 'end' && !tokens.is(';')) throw tokens.unexpected(';');
  }
}

function parseStatement(tokens: TokenReader): Statement {
  const start = tokens.at;
  const textSoFar = () => tokens.text.slice(start, tokens.at).trim();
  if (tokens.take('SELECT')) return parseSelect(tokens);
  if (tokens.take('SHOW')) return parseShow(tokens);
  if (tokens.take('DELETE')) return { kind: 'delete', ...parseScope(tokens), text: textSoFar() };
  if (tokens.take('CREATE')) return parseCreate(tokens, textSoFar);
  if (tokens.take('DROP')) return parseDrop(tokens, textSoFar);
  if (tokens.is('ALTER')) {
    skip(tokens);
    return { kind: 'accepted', text: textSoFar() };
  }
  throw tokens.unexpected(STARTS);
}

function parseCreate(tokens: TokenReader, textSoFar: () => string): Statement {
  const what = tokens.oneOf('CONTINUOUS', 'DATABASE', 'USER', 'RETENTION', 'SUBSCRIPTION');
  if (what === 'DATABASE') {
    const name = tokens.name();
    // Retention and replication are accepted and have no effect.
    if (tokens.is('WITH')) skip(tokens);
    return { kind: 'create database', name, text: textSoFar() };
  }
  if (what === 'RETENTION') {
    tokens.need('POLICY');
    tokens.name();
    tokens.need('ON');
    tokens.name();
  }
  skip(tokens);
  return { kind: 'accepted', text: textSoFar() };
}

function parseDrop(tokens: TokenReader, textSoFar: () => string): Statement {
  const kinds = 'CONTINUOUS DATABASE MEASUREMENT RETENTION SERIES SHARD SUBSCRIPTION USER'.split(' ');
  const what = tokens.oneOf(...kinds);
  if (what === 'DATABASE') return { kind: 'drop database', name: tokens.name(), text: textSoFar() };
  if (what === 'MEASUREMENT') return { kind: 'drop measurement', name: tokens.name(), text: textSoFar() };
  if (what === 'SERIES') return { kind: 'drop series', ...parseScope(tokens), text: textSoFar() };
  skip(tokens);
  return { kind: 'accepted', text: textSoFar() };
}

function parseScope(tokens: TokenReader) {
  let sources: readonly MeasurementSource[] = [];
  if (tokens.take('FROM')) sources = parseMeasurements(tokens);
  else if (!tokens.is('WHERE')) throw tokens.unexpected('FROM, WHERE');
  const where = tokens.take('WHERE') ? { where: parseExpression(tokens) } : {};
  parseSlice(tokens, 'LIMIT', 'OFFSET');
  return { sources, ...where };
}

function skip(tokens: TokenReader): void {
  while (tokens.peek().kind !== 'end' && !tokens.is(';')) tokens.next();
}

/** What follows SELECT. */
function parseSelect(tokens: TokenReader): Select {
  const fields = parseFields(tokens);
  const isInto = tokens.take('INTO');
  if (isInto) parseMeasurement(tokens);
  tokens.need('FROM');
  const sources = parseSources(tokens);
  const where = tokens.take('WHERE') ? parseExpression(tokens) : undefined;
  const dimensions = parseDimensions(tokens);
  const fill = parseFill(tokens);
  const isDescending = parseOrder(tokens);
  const rows = parseSlice(tokens, 'LIMIT', 'OFFSET');
  const series = parseSlice(tokens, 'SLIMIT', 'SOFFSET');
  const zone = parseZone(tokens);
  const condition = zone && where ? withZone(where, zone) : where;
  return {
    ...{ kind: 'select', fields, isInto, sources, dimensions, fill, isDescending, rows, series },
    ...(condition && { where: condition }),
    ...(zone && { zone }),
  };
}

function parseSlice(tokens: TokenReader, limit: string, offset: string): Slice {
  return {
    limit: tokens.take(limit) ? tokens.integer() : 0,
    offset: tokens.take(offset) ? tokens.integer() : 0,
  };
}

function parseMeasurements(tokens: TokenReader): readonly MeasurementSource[] {
  const found: MeasurementSource[] = [];
  do found.push(parseMeasurement(tokens));
  while (tokens.take(','));
  return found;
}

/** `m`, `/pattern/`, `policy.m`, `database.policy.m` or `database..m`. */
function parseMeasurement(tokens: TokenReader): MeasurementSource {
  const parts: (string | Pattern)[] = [];
  do {
    const isPattern = tokens.peek(true).kind === 'regex';
    if (isPattern) parts.push(parsePattern(tokens).pattern);
    else parts.push(parts.length === 1 && tokens.is('.') ? '' : tokens.name());
  } while (parts.length < 3 && tokens.take('.'));
  const name = parts.pop() ?? '';
  const policy = parts.pop();
  const database = parts.pop();
  return {
    kind: 'measurement',
    name,
    ...(typeof policy === 'string' && policy !== '' ? { policy } : {}),
    ...(typeof database === 'string' ? { database } : {}),
  };
}

function parseSources(tokens: TokenReader): readonly Source[] {
  const found: Source[] = [];
  do {
    if (!tokens.take('(')) {
      found.push(parseMeasurement(tokens));
      continue;
    }
    tokens.need('SELECT');
    found.push({ kind: 'subquery', select: parseSelect(tokens) });
    tokens.need(')');
  } while (tokens.take(','));
  return found;
}

function parseFields(tokens: TokenReader): readonly SelectedField[] {
  const fields: SelectedField[] = [];
  do {
    const expression = parseExpression(tokens);
    fields.push(tokens.take('AS') ? { expression, alias: tokens.name() } : { expression });
  } while (tokens.take(','));
  return fields;
}

function parseDimensions(tokens: TokenReader): readonly Expression[] {
  const found: Expression[] = [];
  if (!tokens.take('GROUP')) return found;
  tokens.need('BY');
  do found.push(parseExpression(tokens));
  while (tokens.take(','));
  return found;
}

function parseFill(tokens: TokenReader): Fill {
  const token = tokens.peek();
  if (token.kind !== 'name' || token.text.toLowerCase() !== 'fill') return { kind: 'null' };
  tokens.next();
  tokens.need('(');
  const value = parseExpression(tokens);
  tokens.need(')');
  if (value.kind === 'number') return { kind: 'number', value: value.value };
  if (value.kind === 'ref' && FILLS.has(value.name)) return { kind: value.name as 'null' };
  throw syntaxError('expected number argument in fill()');
}

function parseZone(tokens: TokenReader): Zone | undefined {
  const token = tokens.peek();
  if (token.kind !== 'name' || token.text.toLowerCase() !== 'tz') return undefined;
  tokens.next();
  tokens.need('(');
  const name = parseExpression(tokens);
  tokens.need(')');
  if (name.kind !== 'string') throw syntaxError('expected string argument in tz()');
  const zone = zoneOf(name.value);
  if (zone === undefined) throw syntaxError(`unable to find time zone ${name.value}`);
  return zone;
}

const FILLS = new Set(['null', 'none', 'previous', 'linear']);

function parseOrder(tokens: TokenReader): boolean {
  if (!tokens.take('ORDER')) return false;
  tokens.need('BY');
  let isDescending = false;
  let count = 0;
  do {
    const isTime = !tokens.is('ASC') && !tokens.is('DESC') ? tokens.name() === 'time' : true;
    if (!isTime || ++count > 1) throw syntaxError('only ORDER BY time supported at this time');
    isDescending = tokens.take('DESC');
    if (!isDescending) tokens.take('ASC');
  } while (tokens.take(','));
  return isDescending;
}

const KINDS =
  'CONTINUOUS DATABASES DIAGNOSTICS FIELD GRANTS MEASUREMENT MEASUREMENTS QUERIES RETENTION SERIES SHARD SHARDS STATS SUBSCRIPTIONS TAG USERS';

/** What follows SHOW. */
function parseShow(tokens: TokenReader): Show {
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
