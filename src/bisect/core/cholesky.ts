/** Matrices are rows one after the other. */

/** The lower triangle L of a symmetric positive matrix L L'. */
export function factorize(matrix: Float64Array, size: number): Float64Array {
  const factor = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column] as number;
      for (let at = 0; at < column; at++)
        sum -= (factor[row * size + at] as number) * (factor[column * size + at] as number);
      factor[row * size + column] =
        row === column ? Math.sqrt(Math.max(sum, 1e-300)) : sum / (factor[column * size + column] as number);
    }
  }
  return factor;
}

/** L^-1 v: with a covariance as the matrix, independent values of variance 1. */
export function whiten(factor: Float64Array, size: number, vector: ArrayLike<number>): Float64Array {
  const found = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    let sum = vector[row] as number;
    for (let at = 0; at < row; at++) sum -= (factor[row * size + at] as number) * (found[at] as number);
    found[row] = sum / (factor[row * size + row] as number);
  }
  return found;
}

/** The inverse of the matrix. */
export function invert(factor: Float64Array, size: number): Float64Array {
  const columns = Array.from({ length: size }, (_, column) =>
    whiten(
      factor,
      size,
      Float64Array.from({ length: size }, (_, row) => (row === column ? 1 : 0)),
    ),
  );
  const found = new Float64Array(size * size);
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) {
      const value = dot(columns[row] as Float64Array, columns[column] as Float64Array);
      found[row * size + column] = value;
      found[column * size + row] = value;
    }
  return found;
}

/** Logarithm of the determinant of the matrix. */
export function logDeterminant(factor: Float64Array, size: number): number {
  let sum = 0;
  for (let at = 0; at < size; at++) sum += Math.log(factor[at * size + at] as number);
  return 2 * sum;
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
