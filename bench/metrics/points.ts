// The points that both servers get: series that walk in steps of hundredths, a value each ten seconds.
export const T0 = 1_700_000_000;
const LINES = 5_000;

export interface Size {
  readonly points: number;
  readonly series: number;
}

/** Bodies of 5,000 lines, some at a time so that ten million points need not lie in memory. */
export function* bodiesOf({ points, series }: Size, at = 40): Generator<readonly Buffer[]> {
  const levels = new Float64Array(series).fill(5000);
  let state = 1;
  let bodies: Buffer[] = [];
  for (let point = 0; point < points; ) {
    let text = '';
    for (let line = 0; line < LINES && point < points; line++, point++) {
      const one = point % series;
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      levels[one] = (levels[one] as number) + Math.floor((state / 2 ** 32) * 201) - 100;
      const time = T0 + 10 * Math.floor(point / series);
      text += `cpu,host=h${one},region=eu usage=${(levels[one] as number) / 100} ${time}000000000\n`;
    }
    bodies.push(Buffer.from(text));
    if (bodies.length < at && point < points) continue;
    yield bodies;
    bodies = [];
  }
}

/** One series of so many values, a second apart. */
export function* longSeries(points: number): Generator<readonly Buffer[]> {
  for (let from = 0; from < points; from += LINES) {
    const count = Math.min(LINES, points - from);
    const rows = Array.from(
      { length: count },
      (_, i) => `one v=${(((from + i) * 7919) % 10_007) / 100} ${T0 + from + i}000000000`,
    );
    yield [Buffer.from(rows.join('\n'))];
  }
}
