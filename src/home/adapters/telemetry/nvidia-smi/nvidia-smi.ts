import { findProgram } from '../../../../platform/adapters/programs.ts';
import { telemetryNumber } from '../../../core/machine/telemetry-file.ts';
import type { Reading, TelemetrySource } from '../../../core/machine/telemetry-source.ts';
import { type Captured, capture } from '../run-program.ts';

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

/** The queried fields, in the order of the columns. */
const FIELDS = [
  'timestamp',
  'clocks.gr',
  'clocks.current.memory',
  'utilization.gpu',
  'utilization.memory',
  'memory.used',
  'pstate',
  'power.limit',
  'temperature.gpu',
  'fan.speed',
] as const;

/** One line for each GPU, in the order of their indices, below a header with the fields; other output has no columns. */
export function readGpus(csv: string): readonly Reading[] {
  const lines = csv
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.includes(', ') && !line.startsWith('timestamp'));
  return lines.flatMap((line, gpu) => {
    const cells = line.split(', ');
    return FIELDS.slice(1).flatMap((field, index) => toReading(field, String(gpu), cells[index + 1] ?? ''));
  });
}

function toReading(group: string, label: string, cell: string): readonly Reading[] {
  const text = cell.trim();
  // "[N/A]", "[Not Supported]", "[Unknown Error]", "[GPU requires reset]"
  if (text === '' || text === 'N/A' || text.startsWith('[')) return [];
  if (group === 'pstate') return [{ group, label, value: text, unit: '' }];
  const number = telemetryNumber(text);
  return [{ group, label, value: number?.value ?? text, unit: number?.unit ?? '' }];
}
