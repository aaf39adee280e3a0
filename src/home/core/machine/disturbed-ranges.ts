import type { PointColumns } from '../../../formats/core/sample.ts';

/** A time in which something else used the machine, from its telemetry. */
export interface DisturbedRange {
  readonly from: number;
  readonly to: number;
  /** "others took up to 12 % of the CPU". */
  readonly reason: string;
}

interface Rule {
  readonly name: string;
  readonly label: string;
  /** Percent above which it is reported. */
  readonly most: number;
  readonly reason: string;
}

/** The same bounds as for comparisons (see find-noise.ts), there as parts of 1. */
const RULES: readonly Rule[] = [
  { name: 'cpu.proc-cpu', label: 'steal', most: 1, reason: 'other virtual machines took CPU time' },
  { name: 'cpu.proc-pressure', label: 'cpu-some', most: 10, reason: 'something waited for a CPU' },
  { name: 'cpu.proc-pressure', label: 'memory-some', most: 10, reason: 'something waited for memory' },
  { name: 'cpu.proc-pressure', label: 'io-some', most: 10, reason: 'something waited for a disk' },
];

/** By when they begin. Readings beside each other, or with one calm one between them, are one range. */
export function disturbedRanges(telemetry: readonly PointColumns[]): readonly DisturbedRange[] {
  return telemetry
    .flatMap((columns) => {
      const rule = RULES.find(({ name, label }) => name === columns.name && label === columns.tags['label']);
      return rule ? rangesOf(columns, rule) : [];
    })
    .sort((a, b) => a.from - b.from || a.to - b.to);
}

function rangesOf({ times, values }: PointColumns, { most, reason }: Rule): DisturbedRange[] {
  const found: DisturbedRange[] = [];
  let [first, last, highest] = [-1, -1, 0];
  const end = () => {
    if (first < 0) return;
    // A reading stands for the time since the one before it.
    const from = times[Math.max(0, first - 1)] as number; // places of readings
    const to = times[last] as number;
    found.push({ from, to, reason: `${reason}, up to ${Math.round(highest)} % of the time` });
    [first, highest] = [-1, 0];
  };
  for (const [place, value] of values.entries()) {
    if (!(value > most)) continue;
    if (first >= 0 && place - last > 2) end();
    if (first < 0) first = place;
    last = place;
    highest = Math.max(highest, value);
  }
  end();
  return found;
}
