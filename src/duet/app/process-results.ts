import type { Format, IterationReading } from '../../formats/core/format.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { inOrder } from '../../platform/core/in-order.ts';
import { baseName, dirName, joinPath } from '../../platform/core/path.ts';
import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { compatColumns, compatProblem } from '../core/table/compat-table.ts';
import { exactForm, orderColumns, type TableFile, type TableForm } from '../core/table/iteration-table.ts';
import { findResults, type ResultEntry, type ResultFolder } from './find-results.ts';
import { readResultFile, resultColumns } from './read-result-file.ts';

interface ProcessRequest {
  readonly dirs: readonly string[];
  /** The original's columns, values and refusals. */
  readonly isCompat?: boolean;
  /** The suite of a benchmark, for the oldest names of files, which do not say it. */
  readonly suiteOf?: (benchmark: string) => string | undefined;
}

/** Takes the table as it is made; one file is in memory at a time. */
interface TableSink {
  begin?(form: TableForm): void;
  add(file: TableFile): void;
}

/** Files that are read ahead: enough to keep a disk busy, few enough to be forgotten. */
const AHEAD = 8;
/** Files between two checks of the signal and turns of the event loop. */
const TURN_EVERY = 200;

/**
 * Reads folders of results into one table, in the order of their names. All files are opened twice: a table needs its
 * columns before its rows. The first pass reads the beginnings only, except for the original's table, whose columns depend
 * on every value.
 */
export async function processResults(
  request: ProcessRequest,
  sink: TableSink,
  effects: IterationEffects,
): Promise<ProcessReport> {
  const folders = await findFolders(request, effects);
  const work: Work = { isCompat: request.isCompat ?? false, folders, effects };
  if (sink.begin) sink.begin(work.isCompat ? await compatFormOf(work) : await exactFormOf(work));
  const report = createReport(folders);
  for await (const outcome of outcomes(work)) {
    if (outcome.state === 'failed') report.fail(outcome.path, outcome.reason);
    else {
      report.read(outcome.path, outcome.file.reading);
      sink.add(outcome.file);
    }
  }
  return report.finish();
}

interface Work {
  readonly isCompat: boolean;
  readonly folders: readonly ResultFolder[];
  readonly effects: IterationEffects;
}

async function findFolders({ dirs, isCompat = false, suiteOf }: ProcessRequest, { disk }: IterationEffects) {
  const naming = { lenient: !isCompat, ...(suiteOf === undefined ? {} : { suiteOf }) };
  const folders: ResultFolder[] = [];
  for (const dir of dirs) folders.push(await findResults(dir, naming, disk));
  return folders;
}

async function exactFormOf(work: Work): Promise<TableForm> {
  const { folders, effects, isCompat } = work;
  const extra = new Set<string>();
  const looks = inOrder(entriesOf(work), AHEAD, ([, entry]) =>
    resultColumns(entry, { ...effects, isCompat }),
  );
  for await (const columns of inTurns(looks, effects)) for (const column of columns) extra.add(column);
  const artifacts = folders.flatMap((folder) => folder.artifacts.map(({ name }) => name));
  return exactForm(orderColumns({ extra, artifacts, hasSeveralFolders: folders.length > 1 }));
}

async function compatFormOf(work: Work): Promise<TableForm> {
  const columns = compatColumns();
  for await (const outcome of outcomes(work)) if (outcome.state === 'read') columns.look(outcome.file);
  return columns.finish();
}

type Outcome =
  | { readonly state: 'read'; readonly path: string; readonly file: TableFile }
  | { readonly state: 'failed'; readonly path: string; readonly reason: string };

function* entriesOf({ folders }: Work): Generator<readonly [ResultFolder, ResultEntry]> {
  for (const folder of folders) for (const entry of folder.entries) yield [folder, entry];
}

function outcomes(work: Work): AsyncGenerator<Outcome> {
  return inTurns(
    inOrder(entriesOf(work), AHEAD, ([folder, entry]) => readOutcome(folder, entry, work)),
    work.effects,
  );
}

/** The disk answers at once, so without turns of the event loop a Ctrl-C would not be noticed. */
async function* inTurns<T>(items: AsyncIterable<T>, { clock, signal }: IterationEffects): AsyncGenerator<T> {
  let count = 0;
  for await (const item of items) {
    if (++count % TURN_EVERY === 0) await clock.sleep(0);
    if (signal.aborted) throw new NightmarkError('DUET_INTERRUPTED', 'Reading the results was interrupted.');
    yield item;
  }
}

/** A file that cannot be read is reported; any other error is a bug. */
async function readOutcome(
  folder: ResultFolder,
  entry: ResultEntry,
  { isCompat, effects }: Work,
): Promise<Outcome> {
  const { path } = entry;
  try {
    const { format, reading: read } = await readResultFile(entry, { ...effects, isCompat });
    const name = { ...entry.name, suite: entry.name.suite || format };
    const reading =
      read.clock === 'harness' && read.starts !== undefined && folder.beganAt !== undefined
        ? { ...read, originNs: BigInt(folder.beganAt) * 1_000_000n }
        : read;
    const problem = isCompat ? compatProblem(name.suite, reading) : undefined;
    if (problem !== undefined) return { state: 'failed', path, reason: problem };
    return {
      state: 'read',
      path,
      file: { name, reading, artifacts: folder.artifacts, results: folder.label },
    };
  } catch (error) {
    // The path is reported beside the reason: once is enough.
    const prefix = `${baseName(path)}: `;
    if (error instanceof NightmarkError)
      return { state: 'failed', path, reason: error.message.replace(prefix, '') };
    throw error;
  }
}

/** What came of it: counts are complete, of the names only the first are kept. */
export interface ProcessReport {
  readonly files: number;
  readonly rows: number;
  readonly failedFiles: number;
  readonly failedRows: number;
  /** Entries whose names are not those of results. */
  readonly strays: number;
  /** One line each: broken files, rows that could not be read, strays, and what else a reader should know. */
  readonly problems: readonly ProcessProblem[];
}

interface ProcessProblem {
  readonly kind: 'file' | 'row' | 'stray' | 'note';
  readonly file: string;
  readonly reason: string;
}

const MAX_NAMED = 1_000;

interface ReportBuilder {
  fail(path: string, reason: string): void;
  read(path: string, reading: IterationReading): void;
  finish(): ProcessReport;
}

function createReport(folders: readonly ResultFolder[]): ReportBuilder {
  const problems: ProcessProblem[] = [];
  const counts = { files: 0, rows: 0, failedFiles: 0, failedRows: 0, strays: 0 };
  const ofHarness = new Map<string, number>();
  const add = (kind: ProcessProblem['kind'], file: string, reason: string) => {
    if (problems.length < MAX_NAMED) problems.push({ kind, file, reason });
  };
  return {
    fail(path, reason) {
      counts.failedFiles++;
      add('file', path, reason);
    },
    read(path, { numbers, failed, notes, clock, starts }) {
      counts.files++;
      counts.rows += numbers.length;
      counts.failedRows += failed.length;
      for (const reason of failed) add('row', path, reason);
      for (const reason of notes) add('note', path, reason);
      if (clock === 'harness' && starts !== undefined) count(ofHarness, dirName(path));
    },
    finish() {
      for (const [dir, files] of ofHarness) {
        const { beganAt } = folders.find((folder) => folder.dir === dir) ?? {};
        const what =
          beganAt === undefined
            ? 'and there is no usable artifact "date"'
            : 'to which the artifact "date" is added';
        add(
          'note',
          dir,
          `${plainly(counted(files, 'file'))} with timestamps counted from the start of the harness, ${what}: A and B are not aligned in time`,
        );
      }
      for (const { dir, strays } of folders) {
        counts.strays += strays.length;
        for (const name of strays) add('stray', joinPath(dir, name), STRAY);
      }
      return { ...counts, problems };
    },
  };
}

const STRAY = 'its name is not <suite>.<benchmark>.<runid>.<type>.<order>.<pair>.<file>: left out';

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** What reading results needs from outside. */
export interface IterationEffects {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly formats: readonly Format[];
  readonly signal: CancelSignal;
}
