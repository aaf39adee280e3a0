import type { MeasurementSource, Statement } from './ast.ts';
import { parseExpression } from './parse-expression.ts';
import { parseMeasurements, parseSelect, parseSlice } from './parse-select.ts';
import { parseShow } from './parse-show.ts';
import { TokenReader } from './token-reader.ts';

const STARTS = 'SELECT, DELETE, SHOW, CREATE, DROP, EXPLAIN, GRANT, REVOKE, ALTER, SET, KILL';

/** All statements of a query, parted by semicolons. Throws QUERY_SYNTAX with InfluxDB's words. */
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
    // How long and in how many copies to keep it is accepted and does nothing here.
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
