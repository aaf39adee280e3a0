import type { FormatReading, IterationReading } from '../../formats/core/format.ts';
import { createIterationList } from '../../formats/core/iteration-list.ts';
import type { SampleSet } from '../../formats/core/sample.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { inBase, toBase } from '../../platform/core/units.ts';

/**
 * Iterations of a file whose format only knows samples: its times, numbered from 0 in the order of the file, without
 * moments. Where it has several metrics that are times, the time on the wall is meant.
 */
export function sampleIterations({ samples, failed }: FormatReading): IterationReading {
  const timed = samples.flatMap((set) => {
    const scale = timeScale(set);
    return scale === undefined ? [] : [{ ...set, values: set.values.map((value) => inBase(value, scale)) }];
  });
  const metric = WALL.find((name) => timed.some((set) => set.metric === name)) ?? timed[0]?.metric;
  const chosen = timed.filter((set) => set.metric === metric);
  if (metric === undefined) throw noTimes(samples);
  const list = createIterationList();
  list.failed.push(...failed);
  let number = 0;
  for (const seconds of chosen.flatMap(({ values }) => values))
    list.add(number++, undefined, Math.round(seconds * 1e9));
  if (chosen.length > 1) list.notes.push(`it holds ${chosen.length} benchmarks, all taken for one`);
  return list.finish({ originNs: 0n, clock: 'harness', extra: new Map() });
}

/** What the formats call the time that passed, the plainest first. */
const WALL = ['time', 'real_time', 'wall-time', 'wall_time', 'duration', 'elapsed'];

/** The unit of the set, else the one at the end of the name of the metric: time_ms, elapsed_seconds. */
function timeScale({ unit, metric }: SampleSet) {
  const ending = /(?:^|_)([a-zµ]+)$/.exec(metric)?.[1] ?? '';
  const scale = toBase(unit === '' ? ending : unit);
  return scale.unit === 's' ? scale : undefined;
}

function noTimes(samples: readonly SampleSet[]): NightmarkError {
  const metrics = [...new Set(samples.map(({ metric }) => metric))].slice(0, 8);
  return new NightmarkError(
    'IMPORT_NO_NUMBERS',
    `None of its numbers is known to be a time: ${metrics.join(', ')}.`,
    {
      hint: 'Name the column or key after its unit, like "time_ms" or "iteration_time_ns".',
    },
  );
}
