import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reading, TelemetrySource } from '../../../core/machine/telemetry.ts';
import { readDisks, readNetwork } from './counters.ts';
import { readFrequencies } from './frequency.ts';
import { readLoad } from './load.ts';
import { readMemory } from './memory.ts';
import { readPressure } from './pressure.ts';
import { type CpuTimes, parseCpuTimes, shareOfTime } from './processor.ts';
import { type Counters, perSecond } from './rate.ts';
import { readOptional } from './read-optional.ts';

export interface ProcOptions {
  /** The folder that holds proc/ and sys/. */
  readonly root: string;
  /** Milliseconds that never go back. */
  readonly nowMs: () => number;
}

/** What the Linux kernel tells in /proc and /sys, for any user and without starting a program. */
export function procTelemetry({
  root = '/',
  nowMs = () => performance.now(),
}: Partial<ProcOptions> = {}): TelemetrySource {
  return {
    id: 'proc',
    title: 'CPU, memory, load, frequency and pressure from /proc and /sys',
    switch: 'cpu',
    async open() {
      const isThere = await stat(join(root, 'proc/stat')).then(
        () => true,
        () => false,
      );
      if (!isThere) return { state: 'missing', reason: `no ${join(root, 'proc/stat')} on this system` };
      return { state: 'open', sample: makeSample({ root, nowMs }) };
    },
  };
}

/** Remembers the counters of the sample before: shares and rates are those of the time in between. */
function makeSample({ root, nowMs }: ProcOptions): () => Promise<readonly Reading[]> {
  let times: CpuTimes | undefined;
  let disks: Counters | undefined;
  let network: Counters | undefined;

  return async () => {
    const [stat, memory, load, frequencies, pressure, newDisks, newNetwork] = await Promise.all([
      readOptional(join(root, 'proc/stat')),
      readMemory(root),
      readLoad(root),
      readFrequencies(root),
      readPressure(root),
      readDisks(root, nowMs),
      readNetwork(root, nowMs),
    ]);
    const newTimes = parseCpuTimes(stat ?? '');
    const readings = [
      ...shareOfTime(times, newTimes),
      ...memory,
      ...load,
      ...frequencies,
      ...pressure,
      ...perSecond('proc-disk', disks, newDisks),
      ...perSecond('proc-net', network, newNetwork),
    ];
    times = newTimes;
    disks = newDisks;
    network = newNetwork;
    if (newTimes === undefined && readings.length === 0) throw new Error(`nothing readable in ${root}`);
    return readings;
  };
}

export default procTelemetry();
