/**
 * Iterations of one side of one run, as columns, in the order of their starts. Times are nanoseconds after `originNs` of
 * the run: whole numbers below 2^53, so nothing of a nanosecond is lost although time since 1970 no longer fits a double.
 */
export interface Iterations {
  /** The harness's own numbers. */
  readonly numbers: Int32Array;
  /** Absent where the harness does not tell when an iteration began; pairing is then by number. */
  readonly starts?: Float64Array;
  readonly ends?: Float64Array;
  readonly times: Float64Array;
}
