import type { JsonValue } from '../../../platform/core/text/json.ts';

/** A named rule that judges the newest value of a series by the values before it. Pure. */
export interface RegressionMethod {
  readonly name: string;
  /** `history` oldest first, finite values only. */
  judge(
    history: Float64Array,
    current: number,
    options: { readonly lowerBetter: boolean | undefined },
  ): MethodResult;
}

export interface MethodResult {
  /** Undefined: it could not be judged. An improvement may be "not accepted" too: some methods report every jump. */
  readonly accepted: boolean | undefined;
  /** 0 is fine, 1 and more is too far. */
  readonly rating?: number;
  readonly improved?: boolean;
  /** Probability of the value if nothing had changed, where the method has one: many series are judged together by it. */
  readonly p?: number;
  readonly description: string;
  readonly details: JsonValue;
}
