import type { Command } from '../../executors/core/executor.ts';
import {
  COUNTS_FILE,
  MEASURES_FILE,
  measuredCommand,
  readCommandMeasures,
} from '../../executors/core/measured-command.ts';
import { type AbsentMeasure, isCounter, type Measure } from '../../executors/core/measures.ts';
import { COMMAND_BENCHMARK, type SampleSet } from '../../formats/core/sample.ts';
import type { Task } from '../../home/core/home.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';

/** The command of a run stage, measured where the definition asks for it; `folder` is where it leaves its results. */
export function withMeasures(command: Command, task: Task, folder: string): Command {
  const measures = measuresOf(task);
  return measures.length === 0
    ? command
    : measuredCommand(command, joinPath(folder, MEASURES_FILE), measures);
}

/** What was measured of the command that ran in the folder, and what could not be. */
export async function commandSamples(
  task: Task,
  folder: string,
  disk: Disk,
): Promise<{ readonly samples: readonly SampleSet[]; readonly absent: readonly AbsentMeasure[] }> {
  const wanted = measuresOf(task);
  if (wanted.length === 0) return { samples: [], absent: [] };
  const read = (name: string) =>
    disk.readText(joinPath(folder, name), { maxBytes: MAX_BYTES, within: folder });
  const { measures, absent } = readCommandMeasures(
    wanted,
    await read(MEASURES_FILE),
    await read(COUNTS_FILE),
  );
  const samples = wanted.flatMap((metric) => {
    const value = measures[metric];
    return value === undefined ? [] : [sampleOf(metric, value)];
  });
  return { samples, absent };
}

const MAX_BYTES = 64 * 1024;

function sampleOf(metric: Measure, value: number): SampleSet {
  const unit = isCounter(metric) ? '' : 's';
  return { benchmark: [COMMAND_BENCHMARK], metric, unit, better: 'lower', values: [value], settings: {} };
}

function measuresOf({ implementation }: Task): readonly Measure[] {
  return (implementation.type === 'commands' && implementation.measures) || [];
}
