import type { IterationReading } from '../../formats/core/format.ts';

export interface CompatTimes {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly times: Float64Array;
}

const BILLION = 1_000_000_000n;

/** Moments as the original computes them: in doubles, step by step, so that each is rounded as it is there. */
export function compatTimes(suite: string, reading: IterationReading): CompatTimes {
  if (suite === 'speccpu') return ofSeconds(reading);
  return suite === 'renaissance' ? ofUptime(reading) : ofMilliseconds(reading);
}

/** Seconds as they stand in the log, times a billion. */
function ofSeconds(reading: IterationReading): CompatTimes {
  const starts = inDoubles(reading, reading.starts);
  const ends = inDoubles(reading, reading.ends);
  return { starts, ends, times: ends.map((end, index) => end - (starts[index] as number)) };
}

function inDoubles({ originNs }: IterationReading, offsets: Float64Array | undefined): Float64Array {
  return (offsets ?? new Float64Array()).map((offset) => {
    const ns = originNs + BigInt(offset);
    return Number(`${ns / BILLION}.${String(ns % BILLION).padStart(9, '0')}`) * 1e9;
  });
}

/** Start of the virtual machine plus uptime; the sum is rounded before the duration is added. */
function ofUptime({ originNs, starts = new Float64Array(), times }: IterationReading): CompatTimes {
  const epoch = Number(originNs);
  return withEnds(
    starts.map((offset) => epoch + offset),
    times,
  );
}

/** Milliseconds times a million. Where they count from the start of the harness, the date is added to both ends. */
function ofMilliseconds({
  clock,
  originNs,
  starts = new Float64Array(),
  times,
}: IterationReading): CompatTimes {
  if (clock === 'unix')
    return withEnds(
      starts.map((offset) => Number(originNs + BigInt(offset))),
      times,
    );
  const epoch = Number(originNs);
  const { ends } = withEnds(starts, times);
  return { starts: starts.map((start) => epoch + start), ends: ends.map((end) => epoch + end), times };
}

function withEnds(starts: Float64Array, times: Float64Array): CompatTimes {
  return { starts, ends: starts.map((start, index) => start + (times[index] as number)), times };
}
