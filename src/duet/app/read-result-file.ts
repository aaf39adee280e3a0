import { recognize } from '../../formats/app/read-results.ts';
import type { Format, FormatReading, IterationReading } from '../../formats/core/format.ts';
import { createIterationList } from '../../formats/core/iteration-reading.ts';
import type { SampleSet } from '../../formats/core/sample.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, joinPath } from '../../platform/core/path.ts';
import { inBase, toBase } from '../../platform/core/units.ts';
import type { ResultEntry } from './find-results.ts';

interface ReadingEffects {
  readonly disk: Disk;
  readonly formats: readonly Format[];
  /** As the original: only by the suite in the name. Otherwise unknown suites are recognised by their content. */
  readonly isCompat: boolean;
}

/** What a result says, and by which format. */
interface ResultReading {
  readonly format: string;
  readonly reading: IterationReading;
}

const MAX_RESULT_BYTES = 256 * 1024 * 1024;
/** A format recognises a file by its first 64 KiB. */
const HEAD_BYTES = 65_536;
/** SPEC CPU numbers its logs: 001 is that of the set-up, 002 that of the measured run. */
const LOG_OF_RUN = '002.log';

export async function readResultFile(entry: ResultEntry, effects: ReadingEffects): Promise<ResultReading> {
  const path = await fileOf(entry, effects.disk);
  const text = await effects.disk.readText(path, { maxBytes: MAX_RESULT_BYTES });
  if (text === undefined) throw new NightmarkError('DUET_RESULT_GONE', `${path} is gone.`);
  const format = formatOf(entry, text, effects);
  const reading = format.readIterations?.(text) ?? sampleIterations(format.read(text, {}));
  return { format: format.id, reading };
}

/** The extra columns of a result, read from its beginning. A result that cannot be read has none. */
export async function resultColumns(entry: ResultEntry, effects: ReadingEffects): Promise<readonly string[]> {
  try {
    const ends = await effects.disk.readEnds(await fileOf(entry, effects.disk), {
      headBytes: HEAD_BYTES,
      tailBytes: 0,
    });
    const head = ends?.head ?? '';
    return formatOf(entry, head, effects).iterationColumns?.(head) ?? [];
  } catch (error) {
    if (error instanceof NightmarkError) return [];
    throw error;
  }
}

/** The format of the suite, else the one that recognises the text. */
function formatOf({ path, name }: ResultEntry, text: string, { formats, isCompat }: ReadingEffects): Format {
  const suites = formats.filter(({ readIterations }) => readIterations !== undefined);
  const ofSuite = suites.find(({ id }) => id === name.suite);
  if (ofSuite) return ofSuite;
  if (!isCompat) return recognize(text, baseName(path), formats);
  throw new NightmarkError('DUET_UNKNOWN_SUITE', `There is no suite "${name.suite}".`, {
    hint: `Known suites: ${suites.map(({ id }) => id).join(', ')}. Without --compat the format is recognised by its content.`,
  });
}

/** The file itself, or the log in a folder that SPEC CPU left. */
async function fileOf({ path, type }: ResultEntry, disk: Disk): Promise<string> {
  const isFolder = type === 'folder' || (type === 'link' && (await disk.stat(path))?.type === 'folder');
  if (!isFolder) return path;
  const logs = (await disk.list(path)).filter(({ name }) => name.endsWith(LOG_OF_RUN));
  const [log] = logs;
  if (log && logs.length === 1) return joinPath(path, log.name);
  throw new NightmarkError(
    'IMPORT_SHAPE',
    `It is a folder with ${logs.length} files that end in ${LOG_OF_RUN}; exactly one is expected.`,
    { hint: 'Folders are read as results of SPEC CPU. Let other harnesses write one file.' },
  );
}

/**
 * Iterations of a file whose format only knows samples: its times, numbered from 0 in the order of the file, without
 * timestamps. Of several metrics that are times, the wall-clock time is taken.
 */
function sampleIterations({ samples, failed }: FormatReading): IterationReading {
  const timed = samples.flatMap((set) => {
    const scale = timeScale(set);
    return scale === undefined ? [] : [{ ...set, values: set.values.map((value) => inBase(value, scale)) }];
  });
  const metric = WALL.find((name) => timed.some((set) => set.metric === name)) ?? timed[0]?.metric;
  const chosen = timed.filter((set) => set.metric === metric);
  if (metric === undefined) throw noTimes(samples);
  const list = createIterationList();
  list.failed.push(...failed);
  let number = 0;
  for (const seconds of chosen.flatMap(({ values }) => values))
    list.add(number++, undefined, Math.round(seconds * 1e9));
  if (chosen.length > 1) list.notes.push(`it holds ${chosen.length} benchmarks, all taken for one`);
  return list.finish({ originNs: 0n, clock: 'harness', extra: new Map() });
}

/** What the formats call the time that passed, the plainest first. */
const WALL = ['time', 'real_time', 'wall-time', 'wall_time', 'duration', 'elapsed'];

/** The unit of the set, else the one at the end of the name of the metric: time_ms, elapsed_seconds. */
function timeScale({ unit, metric }: SampleSet) {
  const ending = /(?:^|_)([a-zµ]+)$/.exec(metric)?.[1] ?? '';
  const scale = toBase(unit === '' ? ending : unit);
  return scale.unit === 's' ? scale : undefined;
}

function noTimes(samples: readonly SampleSet[]): NightmarkError {
  const metrics = [...new Set(samples.map(({ metric }) => metric))].slice(0, 8);
  return new NightmarkError(
    'IMPORT_NO_NUMBERS',
    `None of its numbers is recognised as a time: ${metrics.join(', ')}.`,
    {
      hint: 'Name the column or key after its unit, like "time_ms" or "iteration_time_ns".',
    },
  );
}
