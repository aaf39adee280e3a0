import type { JsonValue } from '../text/json.ts';

/** What a named method says of one value. */
export interface MethodResult {
  /** False: a regression. Undefined: the method cannot tell. */
  readonly accepted: boolean | undefined;
  /** From 0, fine, to 1 and above, too far. */
  readonly rating?: number;
  readonly improved?: boolean;
  readonly description: string;
  readonly details: JsonValue;
}

/** A rule, known by its name, that judges a value by those before it. */
export interface RegressionMethod {
  readonly name: string;
  judge(
    history: Float64Array,
    current: number,
    options: { readonly lowerBetter: boolean | undefined },
  ): MethodResult;
}
