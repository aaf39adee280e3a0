/** Points of the one long series: a value each millisecond. */
export const POINTS = 1_000_000;
const T0 = 1_700_000_000_000;

/** As line protocol, ten thousand at a time. */
export async function sendBig(write: (body: string) => Promise<void>): Promise<void> {
  const values = bigValues();
  for (let first = 0; first < POINTS; first += 10_000) {
    let text = '';
    for (let n = first; n < first + 10_000; n++) text += `big value=${values[n]} ${T0 + n}000000\n`;
    await write(text);
  }
}

/** Times, then values. */
export function bareValues(): Float64Array {
  const both = new Float64Array(2 * POINTS);
  for (let n = 0; n < POINTS; n++) both[n] = T0 + n;
  both.set(bigValues(), POINTS);
  return both;
}

/** A walk with two decimals, the same every time. */
function bigValues(): Float64Array {
  let [state, level] = [7, 5000];
  return Float64Array.from({ length: POINTS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    level += Math.floor((state / 2 ** 32) * 201) - 100;
    return level / 100;
  });
}
