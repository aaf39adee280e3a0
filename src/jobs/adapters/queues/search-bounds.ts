import type { Dialect, Value } from './session.ts';

/**
 * What must hold where an expression is true, and where it is false; a job of which it is not known may be in either.
 * Undefined: anything may hold. They are made when they are used, for then their values get their numbers.
 */
export interface Bounds {
  readonly yes: Condition;
  readonly no: Condition;
}

export type Condition = (() => string) | undefined;

export const NO_BOUNDS: Bounds = { yes: undefined, no: undefined };

export interface Scope {
  readonly dialect: Dialect;
  /** Gives a value its number in the statement. */
  readonly next: (value: Value) => string;
}
