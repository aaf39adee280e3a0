export interface Aim {
  readonly name: string;
  /** Ours to theirs. */
  readonly ratio: number;
  readonly least?: number;
  readonly most?: number;
}

/** One line for each; the exit code is 1 when any is missed. */
export function printAims(aims: readonly Aim[]): void {
  for (const { name, ratio, least, most } of aims) {
    const isMet = ratio >= (least ?? Number.NEGATIVE_INFINITY) && ratio <= (most ?? Number.POSITIVE_INFINITY);
    const aim = least === undefined ? `at most ${most}` : `at least ${least}`;
    console.log(`${isMet ? 'met   ' : 'missed'} ${name}: ${ratio.toPrecision(3)} (aim: ${aim})`);
    if (!isMet) process.exitCode = 1;
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
