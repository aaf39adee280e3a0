import type { Scope } from '../core/access-token.ts';
import type { Schema } from './schema.ts';

/** What a route says about itself: who may use it, and what it does. */
export interface RouteConfig {
  /** What whoever asks must be allowed to do. Absent: to read; "open": nothing. */
  readonly scope?: Scope | 'open';
  /** The body brings a program to run: needs a token even on this machine. */
  readonly bringsProgram?: boolean;
  /** Made for clients of InfluxDB, which show tokens and read errors in their own way. */
  readonly client?: 'influx';
  /** The answer follows from the index of the home alone: asked again, nothing is read if that is the same. */
  readonly follows?: 'index';
  readonly doc?: RouteDescription;
}

export interface RouteDescription {
  readonly summary: string;
  /** Parameters of the address by name, in words; those in its path are found there. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Schema;
  /** JSON of this shape, or the types of what else comes. */
  readonly answer: Schema | { readonly media: readonly string[] };
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteConfig {}
}
