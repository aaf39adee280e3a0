export interface NormalSource {
  next(): number;
  /** Student's t with three degrees of freedom, scaled to variance 1: a fourth moment that does not exist. */
  studentOfThree(): number;
}

/** Standard normal values by Marsaglia's polar method, in pairs. */
export function normalSource(random: () => number): NormalSource {
  let spare: number | undefined;
  const next = () => {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    for (;;) {
      const x = 2 * random() - 1;
      const y = 2 * random() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * factor;
      return x * factor;
    }
  };
  // Chi square with three degrees: an exponential value is two of them, a squared normal one the third.
  const studentOfThree = () => next() / Math.sqrt(next() ** 2 - 2 * Math.log(1 - random()));
  return { next, studentOfThree };
}
