import { formatNumber } from '../../../platform/core/text/numbers.ts';
import type { RunValue } from '../../app/compare/read-compared-series.ts';

const [WIDTH, HEIGHT, LEFT, RIGHT] = [460, 96, 44, 12];
const LANES = { base: 20, head: 54 } as const;
/** More dots of one run only make a smear. */
const MOST_DOTS = 200;

interface DistributionsProps {
  readonly base: readonly RunValue[];
  readonly head: readonly RunValue[];
  readonly unit: string;
}

/** Both sides on one axis: a large dot for each run, small ones for what was measured within it. */
export function Distributions({ base, head, unit }: DistributionsProps) {
  const all = [...base, ...head].flatMap(({ value, samples = [] }) => [value, ...samples]);
  if (all.length === 0) return null;
  const low = all.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = all.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const x = (value: number) =>
    high === low
      ? (LEFT + WIDTH - RIGHT) / 2
      : Math.round((LEFT + ((value - low) / (high - low)) * (WIDTH - LEFT - RIGHT)) * 10) / 10;
  const words = `Values of base and head, from ${formatNumber(low, unit)} to ${formatNumber(high, unit)}`;
  return (
    <svg
      class="both-sides"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <Lane name="base" values={base} x={x} unit={unit} />
      <Lane name="head" values={head} x={x} unit={unit} />
      <path class="axis" d={`M${LEFT} ${HEIGHT - 20}H${WIDTH - RIGHT}`} />
      <text x={LEFT} y={HEIGHT - 5}>
        {formatNumber(low, unit)}
      </text>
      {high > low && (
        <text x={WIDTH - RIGHT} y={HEIGHT - 5} text-anchor="end">
          {formatNumber(high, unit)}
        </text>
      )}
    </svg>
  );
}

interface LaneProps {
  readonly name: keyof typeof LANES;
  readonly values: readonly RunValue[];
  readonly x: (value: number) => number;
  readonly unit: string;
}

function Lane({ name, values, x, unit }: LaneProps) {
  const y = LANES[name];
  return (
    <g class={name}>
      <text x={0} y={y + 4}>
        {name}
      </text>
      {values.map(({ runId, samples = [] }) =>
        samples
          .slice(0, MOST_DOTS)
          // In three rows, so that equal values are seen as several.
          .map((value, place) => (
            <circle
              key={`${runId} ${place}`}
              class="sample"
              cx={x(value)}
              cy={y + ((place % 3) - 1) * 5}
              r="1.5"
            />
          )),
      )}
      {values.map(({ runId, value }) => (
        <circle key={runId} class="run" cx={x(value)} cy={y} r="5">
          <title>{`${runId}: ${formatNumber(value, unit)}`}</title>
        </circle>
      ))}
    </g>
  );
}
