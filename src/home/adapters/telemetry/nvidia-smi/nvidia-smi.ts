import type { TelemetrySource } from '../../../core/machine/telemetry.ts';
import { type Captured, capture } from '../capture.ts';
import { findProgram } from '../find-program.ts';
import { FIELDS, readGpus } from './read-gpus.ts';

export interface NvidiaSmiOptions {
  /** Name or path of the program. */
  readonly program: string;
  readonly searchPath: string;
  readonly timeoutMs: number;
}

/** Clocks, use, memory, power and temperature of all NVIDIA GPUs. */
export function nvidiaSmiTelemetry(options: Partial<NvidiaSmiOptions> = {}): TelemetrySource {
  const { program = 'nvidia-smi', timeoutMs = 10_000, searchPath } = options;
  return {
    id: 'nvidia-smi',
    title: 'Clocks, use, memory, power and temperature of NVIDIA GPUs (nvidia-smi)',
    switch: 'gpu',
    async open() {
      const path = findProgram(program, searchPath ?? process.env['PATH'] ?? '');
      if (path === undefined) return { state: 'missing', reason: 'not found' };
      const closing = new AbortController();
      return {
        state: 'open',
        close: () => closing.abort(),
        async sample() {
          const argv = [path, '--format=csv', `--query-gpu=${FIELDS.join(',')}`] as const;
          const captured = await capture(argv, { timeoutMs, signal: closing.signal });
          const readings = captured.code === 0 ? readGpus(captured.stdout) : [];
          if (readings.length === 0) throw new Error(whyNothing(captured));
          return readings;
        },
      };
    },
  };
}

/** nvidia-smi explains on stdout that it cannot reach the driver. */
function whyNothing({ code, stdout, stderr }: Captured): string {
  const [line = ''] = (stderr.trim() || stdout.trim()).split('\n');
  if (code === 0) return line === '' ? 'no output' : 'no reading in its output';
  return line === '' ? `exit code ${code}` : `exit code ${code}: ${line.slice(0, 200)}`;
}

export default nvidiaSmiTelemetry();
