import type { Reading, TelemetrySource } from '../../../core/machine/telemetry.ts';
import { type Captured, capture } from '../capture.ts';
import { findProgram } from '../find-program.ts';
import { readSensorsJson } from './read-json.ts';
import { readSensorsText } from './read-text.ts';

export interface SensorsOptions {
  /** Name or path of the program. */
  readonly program: string;
  readonly searchPath: string;
  readonly timeoutMs: number;
}

/** Temperatures, fans and voltages by the program of lm-sensors. */
export function sensorsTelemetry(options: Partial<SensorsOptions> = {}): TelemetrySource {
  const { program = 'sensors', timeoutMs = 10_000, searchPath } = options;
  return {
    id: 'sensors',
    title: 'Temperatures, fans and voltages from sensors (lm-sensors)',
    switch: 'cpu',
    async open() {
      const path = findProgram(program, searchPath ?? process.env['PATH'] ?? '');
      if (path === undefined) return { state: 'missing', reason: 'not found' };
      const closing = new AbortController();
      const run = (...args: readonly string[]) =>
        capture([path, ...args], { timeoutMs, signal: closing.signal });
      return { state: 'open', sample: makeSample(run), close: () => closing.abort() };
    },
  };
}

/** Versions before 3.5 do not know -j and are asked again without it, from then on at once. */
function makeSample(run: (...args: readonly string[]) => Promise<Captured>) {
  let knowsJson = true;
  return async (): Promise<readonly Reading[]> => {
    if (knowsJson) {
      const captured = await run('-j');
      const readings = read(captured.stdout);
      if (readings.length > 0) return readings;
      if (captured.code === 0) throw new Error(whyNothing(captured));
    }
    const captured = await run();
    const readings = read(captured.stdout);
    if (readings.length === 0) throw new Error(whyNothing(captured));
    knowsJson = false;
    return readings;
  };
}

function read(output: string): readonly Reading[] {
  return readSensorsJson(output) ?? readSensorsText(output);
}

function whyNothing({ code, stderr }: Captured): string {
  const [line = ''] = stderr.trim().split('\n');
  return line === '' ? `no reading in its output (exit code ${code})` : line.slice(0, 200);
}

export default sensorsTelemetry();
