import type { Pattern } from '../../../platform/core/patterns/pattern.ts';
import type { Expression, Fill, MeasurementSource, Select, SelectedField, Slice, Source } from './ast.ts';
import { syntaxError } from './lexer.ts';
import { parseExpression, parsePattern } from './parse-expression.ts';
import type { TokenReader } from './token-reader.ts';
import { withZone, type Zone, zoneOf } from './zone.ts';

/** What follows SELECT. */
export function parseSelect(tokens: TokenReader): Select {
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

export function parseSlice(tokens: TokenReader, limit: string, offset: string): Slice {
  return {
    limit: tokens.take(limit) ? tokens.integer() : 0,
    offset: tokens.take(offset) ? tokens.integer() : 0,
  };
}

export function parseMeasurements(tokens: TokenReader): readonly MeasurementSource[] {
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
