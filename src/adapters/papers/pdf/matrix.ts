/** x' = a x + c y + e, y' = b x + d y + f: as SVG and PDF both write it. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`. */
export function times(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** translate, scale and rotate, one or several. */
export function readTransform(text: string | undefined): Matrix {
  let matrix = IDENTITY;
  for (const [, name = '', list = ''] of (text ?? '').matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [first = 0, second, third] = list.split(/[\s,]+/).map(Number);
    matrix = times(matrix, oneTransform(name, [first, second, third]));
  }
  return matrix;
}

function oneTransform(
  name: string,
  [first, second, third]: readonly [number, number | undefined, number | undefined],
): Matrix {
  switch (name) {
    case 'translate':
      return [1, 0, 0, 1, first, second ?? 0];
    case 'scale':
      return [first, 0, 0, second ?? first, 0, 0];
    case 'rotate': {
      const angle = (first * Math.PI) / 180;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const [x, y] = [second ?? 0, third ?? 0];
      return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
    }
    default:
      throw new Error(`the transform "${name}" is not known`);
  }
}

/** Numbers of a content stream: a thousandth of a point is more than a printer has. */
export function numbers(values: readonly number[]): string {
  return values
    .map((value) => (Number.isFinite(value) ? String(Math.round(value * 1000) / 1000) : '0'))
    .join(' ');
}
