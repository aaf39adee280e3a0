/**
 * Probability that a Student value with an even number of degrees of freedom lies above `t` >= 0, in closed form
 * (Abramowitz and Stegun 26.7.4): the predictive distribution is asked thousands of times a verdict.
 */
export function evenStudentTail(t: number, freedom: number): number {
  const square = t * t;
  if (square === Number.POSITIVE_INFINITY) return 0;
  const rest = freedom / (freedom + square);
  const sine = t / Math.sqrt(freedom + square);
  const terms = freedom / 2;
  let coefficient = 1;
  let sum = 0;
  for (let term = 0; term < terms; term++) {
    sum += coefficient;
    coefficient *= ((2 * term + 1) / (2 * term + 2)) * rest;
  }
  const tail = (1 - sine * sum) / 2;
  // Far out the sum is 1 / sine but for rounding: its own missing terms are then the whole answer.
  return tail > 1e-9 ? tail : (sine * missing(coefficient, terms, rest)) / 2;
}

function missing(first: number, terms: number, rest: number): number {
  let coefficient = first;
  let sum = 0;
  for (let term = terms; coefficient > sum * 1e-17; term++) {
    sum += coefficient;
    coefficient *= ((2 * term + 1) / (2 * term + 2)) * rest;
  }
  return sum;
}
