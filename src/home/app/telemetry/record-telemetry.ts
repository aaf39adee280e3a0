import type { PointColumns } from '../../../formats/core/sample.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { TelemetrySwitches } from '../../core/home.ts';
import { type RecordingEffects, recordSources } from './record-sources.ts';
import { telemetryPoints } from './telemetry-points.ts';
import { type TelemetryFiles, writeTelemetry } from './write-telemetry.ts';

export interface TelemetryRequest extends TelemetryFiles {
  readonly switches: TelemetrySwitches;
}

export interface TelemetryEffects extends RecordingEffects {
  readonly disk: Disk;
}

export interface TelemetryRecording {
  /** Ends the recording and writes its files. Never rejects for a fault of a source or of the disk: that is a note. */
  stop(): Promise<RecordedTelemetry>;
}

export interface RecordedTelemetry {
  readonly columns: readonly PointColumns[];
  /** What is missing in the recording, and why; one sentence each. */
  readonly notes: readonly string[];
}

/** Samples the machine beside a stage, and leaves the files of the dashboard. */
export async function startTelemetry(
  request: TelemetryRequest,
  effects: TelemetryEffects,
): Promise<TelemetryRecording> {
  const { switches } = request;
  if (!(switches.rateSeconds > 0) || !(switches.cpu || switches.gpu)) return nothing;

  const recording = recordSources(switches, effects);
  return {
    async stop() {
      const { startedAt, columns, notes } = await recording.stop();
      const points = telemetryPoints(request.experiment, startedAt, columns);
      try {
        await writeTelemetry(request, columns, effects.disk);
        return { columns: points, notes };
      } catch (error) {
        if (!(error instanceof NightmarkError)) throw error;
        const incomplete = `telemetry: its files are incomplete: ${messageOf(error)}`;
        return { columns: points, notes: [...notes, incomplete] };
      }
    },
  };
}

const nothing: TelemetryRecording = { stop: async () => ({ columns: [], notes: [] }) };
