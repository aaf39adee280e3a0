import { type ResultsReading, readResults } from '../../formats/app/read-results.ts';
import type { Format, ResultsRule } from '../../formats/core/format.ts';
import type { Task } from '../../home/core/home.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';

const MAX_RESULT_BYTES = 256 * 1024 * 1024;

/** Reads what the run of an inline experiment left in its folder, with the format that its definition names. */
export async function readTaskResults(
  task: Task,
  folder: string,
  { disk, formats }: { readonly disk: Disk; readonly formats: readonly Format[] },
): Promise<ResultsReading> {
  const rule = ruleOf(task);
  const origin = rule.path ?? STDOUT;
  const within = { maxBytes: MAX_RESULT_BYTES, within: folder };
  const text = await disk.readText(joinPath(folder, origin), within);
  if (text === undefined) {
    throw new NightmarkError(
      'RUN_NO_RESULTS',
      `The run of ${task.name} left no ${origin} in its output folder.`,
      {
        hint: 'Write it to {out} (also $NIGHTMARK_OUTPUT_DIR), or leave out results.path to read what is printed.',
      },
    );
  }
  return readResults({ text, rule, origin }, formats);
}

/** Refuses results of which nothing could be read. */
export function requireSamples(task: Task, reading: ResultsReading): ResultsReading {
  if (reading.samples.length > 0) return reading;
  throw new NightmarkError(
    'RUN_NO_RESULTS',
    `${ruleOf(task).path ?? STDOUT} of ${task.name} was read as ${reading.format} but holds no result.`,
  );
}

/** Where the standard output of the run goes. */
const STDOUT = 'stdout.txt';

function ruleOf({ implementation }: Task): ResultsRule {
  return implementation.type === 'commands' ? implementation.results : { mapping: {} };
}
