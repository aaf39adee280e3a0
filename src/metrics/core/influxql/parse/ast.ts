import type { Pattern } from '../../../../platform/core/patterns/pattern.ts';
import type { FieldType } from '../../points/points.ts';
import type { Zone } from './time-zone.ts';

export type Expression =
  | { readonly kind: 'ref'; readonly name: string; readonly type?: CastType }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'number'; readonly value: number; readonly integer?: bigint }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'duration'; readonly ns: bigint }
  | { readonly kind: 'regex'; readonly pattern: Pattern }
  | { readonly kind: 'star'; readonly of?: 'field' | 'tag' }
  | { readonly kind: 'paren'; readonly inner: Expression }
  | Binary;

export interface Binary {
  readonly kind: 'binary';
  readonly op: string;
  readonly left: Expression;
  readonly right: Expression;
}

export type CastType = FieldType | 'tag' | 'field';

export interface SelectedField {
  readonly expression: Expression;
  readonly alias?: string;
}

export interface MeasurementSource {
  readonly kind: 'measurement';
  readonly database?: string;
  readonly policy?: string;
  readonly name: string | Pattern;
}

export type Source = MeasurementSource | { readonly kind: 'subquery'; readonly select: Select };

export type Fill =
  | { readonly kind: 'null' | 'none' | 'previous' | 'linear' }
  | { readonly kind: 'number'; readonly value: number };

export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

export interface Select {
  readonly kind: 'select';
  readonly fields: readonly SelectedField[];
  readonly isInto: boolean;
  readonly sources: readonly Source[];
  readonly where?: Expression;
  readonly dimensions: readonly Expression[];
  readonly fill: Fill;
  readonly isDescending: boolean;
  readonly rows: Slice;
  readonly series: Slice;
  /** tz('Europe/Berlin'): the time zone in which days begin, and times are parsed and shown. */
  readonly zone?: Zone;
}

export type ShowWhat =
  | 'databases'
  | 'measurements'
  | 'series'
  | 'tag keys'
  | 'tag values'
  | 'field keys'
  | 'policies';

export interface Show {
  readonly kind: 'show';
  readonly what: ShowWhat;
  readonly database?: string;
  readonly sources: readonly MeasurementSource[];
  readonly where?: Expression;
  readonly rows: Slice;
  /** Tag keys of SHOW TAG VALUES. */
  readonly withKey?: (key: string) => boolean;
}

export type Statement =
  | Select
  | Show
  | { readonly kind: 'create database' | 'drop database'; readonly name: string; readonly text: string }
  | { readonly kind: 'drop measurement'; readonly name: string; readonly text: string }
  | {
      readonly kind: 'delete' | 'drop series';
      readonly sources: readonly MeasurementSource[];
      readonly where?: Expression;
      readonly text: string;
    }
  | { readonly kind: 'accepted'; readonly text: string };

/** All parts of an expression that `isWanted` accepts; without looking inside those. */
export function collect(
  expression: Expression,
  isWanted: (part: Expression) => boolean,
  found: Expression[] = [],
): Expression[] {
  if (isWanted(expression)) found.push(expression);
  else if (expression.kind === 'paren') collect(expression.inner, isWanted, found);
  else if (expression.kind === 'call') for (const part of expression.args) collect(part, isWanted, found);
  else if (expression.kind === 'binary') {
    collect(expression.left, isWanted, found);
    collect(expression.right, isWanted, found);
  }
  return found;
}

export function replace(
  expression: Expression,
  change: (part: Expression) => Expression | undefined,
): Expression {
  const changed = change(expression);
  if (changed !== undefined) return changed;
  if (expression.kind === 'paren') return { kind: 'paren', inner: replace(expression.inner, change) };
  if (expression.kind === 'call') {
    return { ...expression, args: expression.args.map((part) => replace(part, change)) };
  }
  if (expression.kind !== 'binary') return expression;
  return { ...expression, left: replace(expression.left, change), right: replace(expression.right, change) };
}

export type Call = Expression & { readonly kind: 'call' };

export function isCall(expression: Expression): expression is Call {
  return expression.kind === 'call';
}

export function isRef(expression: Expression): expression is Expression & { readonly kind: 'ref' } {
  return expression.kind === 'ref';
}

export function isTimeRef(expression: Expression): boolean {
  return isRef(expression) && expression.name === 'time';
}
