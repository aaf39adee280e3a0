import { recordSources } from '../../home/app/telemetry/record-sources.ts';
import { telemetryPoints } from '../../home/app/telemetry/record-telemetry.ts';
import type { DuetRunEffects } from './run-effects.ts';

/** GPU tools are programs that take a while: both sides would feel them. */
const SWITCHES = { cpu: true, gpu: false, rateSeconds: 1 } as const;

/** Samples the machine beside one run, into one file: series as columns, times in milliseconds since 1970. */
export function startRunTelemetry(
  benchmark: string,
  file: string,
  { telemetry, clock, signal, disk }: DuetRunEffects,
): { stop(): Promise<void> } {
  const recording = recordSources(SWITCHES, { sources: telemetry, clock, signal });
  return {
    async stop() {
      const { startedAt, columns, notes } = await recording.stop();
      const series = telemetryPoints(benchmark, startedAt, columns).map(({ times, values, ...facts }) => ({
        ...facts,
        times: [...times],
        values: [...values],
      }));
      await disk.writeText(file, `${JSON.stringify({ startedAt, notes, series })}\n`);
    },
  };
}
