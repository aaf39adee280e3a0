import type { Scope } from '../core/access-token.ts';

/** What a route says about itself: who may use it, and what it does. */
export interface RouteConfig {
  /** The scope that a client needs. Absent: read; "open": none. */
  readonly scope?: Scope | 'open';
  /** The body brings a program to run: needs a token even on this machine. */
  readonly bringsProgram?: boolean;
  /** Made for clients of InfluxDB, which show tokens and read errors in their own way. */
  readonly client?: 'influx';
  /** The answer depends on the index of the home alone: while that is the same, nothing is read again. */
  readonly follows?: 'index';
  readonly doc?: RouteDescription;
}

export interface RouteDescription {
  readonly summary: string;
  /** Query parameters by name, with a description; those in the path are found there. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Schema;
  /** JSON of this shape, or the types of what else comes. */
  readonly answer: Schema | { readonly media: readonly string[] };
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteConfig {}
}

/** The part of JSON Schema 2020-12 that describes our answers. */
export interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly anyOf?: readonly Schema[];
}

export const text: Schema = { type: 'string' };
export const number: Schema = { type: 'number' };
export const count: Schema = { type: 'integer' };
export const yesOrNo: Schema = { type: 'boolean' };
/** Milliseconds since 1970. */
export const timestamp: Schema = { type: 'number', description: 'milliseconds since 1970, UTC' };
/** Anything, for what is not ours to describe. */
export const anything: Schema = {};

export function list(items: Schema): Schema {
  return { type: 'array', items };
}

/** Keys that are data. */
export function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values };
}

/** Fields of an object; a name that ends in "?" may be missing. Others may come. */
export function fields(given: Readonly<Record<string, Schema>>): Schema {
  const entries = Object.entries(given);
  const required = entries.map(([name]) => name).filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
  };
}

export function described(description: string, schema: Schema): Schema {
  return { ...schema, description };
}

/** A whole number from a query string; anything else counts as absent. */
export function numberIn(query: unknown, name: string): number | undefined {
  const text = (query as Record<string, unknown>)[name];
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export function hasFlag(query: unknown, name: string): boolean {
  return (query as Record<string, unknown>)[name] === '1';
}

/** A text that is not empty; one that is given several times counts as absent. */
export function textIn(query: unknown, name: string): string | undefined {
  const text = (query as Record<string, unknown>)[name];
  return typeof text === 'string' && text !== '' ? text : undefined;
}
