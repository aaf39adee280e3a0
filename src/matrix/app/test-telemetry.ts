import { startTelemetry } from '../../home/app/telemetry/record-telemetry.ts';
import type { TelemetrySwitches } from '../../home/core/home.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { MatrixRunEffects } from './run-effects.ts';

/** Below the folder of the test: cpu.json and gpu.json, and a text file a group. */
const TELEMETRY_DIR = 'telemetry';

/** Samples the machine beside one test, into the files that nights write too. Ended before the test counts as done. */
export async function startTestTelemetry(
  { experiment, dir }: { readonly experiment: string; readonly dir: string },
  switches: TelemetrySwitches | undefined,
  effects: MatrixRunEffects,
): Promise<{ stop(): Promise<void> }> {
  if (!switches) return { stop: async () => undefined };
  const { disk, clock, signal, telemetry, report } = effects;
  const folder = joinPath(dir, TELEMETRY_DIR);
  const request = {
    experiment,
    switches,
    textDir: (kind: string) => joinPath(folder, kind),
    jsonFile: (kind: string) => joinPath(folder, `${kind}.json`),
    label: new Date(clock.now()).toISOString(),
  };
  const recording = await startTelemetry(request, { sources: telemetry, disk, clock, signal });
  return {
    async stop() {
      for (const text of (await recording.stop()).notes) report({ type: 'warning', text });
    },
  };
}
