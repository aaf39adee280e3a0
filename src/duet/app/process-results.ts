import { NightmarkError } from '../../platform/core/errors.ts';
import { inOrder } from '../../platform/core/in-order.ts';
import { baseName } from '../../platform/core/path.ts';
import { compatColumns, whyNotCompat } from '../core/table/compat-table.ts';
import { exactForm, orderColumns, type TableFile, type TableForm } from '../core/table/iteration-table.ts';
import { findResults, type ResultEntry, type ResultFolder } from './find-results.ts';
import type { IterationEffects } from './iteration-effects.ts';
import { createReport, type ProcessReport } from './process-report.ts';
import { readResultFile, resultColumns } from './read-result-file.ts';

export interface ProcessRequest {
  readonly dirs: readonly string[];
  /** The original's columns, values and refusals. */
  readonly isCompat?: boolean;
  /** The suite of a benchmark, for the oldest names of files, which do not say it. */
  readonly suiteOf?: (benchmark: string) => string | undefined;
}

/** Takes the table as it is made; one file is in memory at a time. */
export interface TableSink {
  begin?(form: TableForm): void;
  add(file: TableFile): void;
}

/** Files that are read ahead: enough to keep a disk busy, few enough to be forgotten. */
const AHEAD = 8;
/** Between two looks at the signal and a turn of the event loop, in files. */
const TURN_EVERY = 200;

/**
 * Reads folders of results into one table, in the order of their names. All files are looked at twice: a table says its
 * columns before its rows. The first look is at the beginnings only, except for the original's table, whose columns depend
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
    inOrder(entriesOf(work), AHEAD, ([folder, entry]) => readEntry(folder, entry, work)),
    work.effects,
  );
}

/** The disk answers at once, so without turns of the event loop nobody would hear a Ctrl-C. */
async function* inTurns<T>(items: AsyncIterable<T>, { clock, signal }: IterationEffects): AsyncGenerator<T> {
  let count = 0;
  for await (const item of items) {
    if (++count % TURN_EVERY === 0) await clock.sleep(0);
    if (signal.aborted) throw new NightmarkError('DUET_INTERRUPTED', 'Reading the results was interrupted.');
    yield item;
  }
}

/** The failure of a file is its own; any other is ours. */
async function readEntry(
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
    const whyNot = isCompat ? whyNotCompat(name.suite, reading) : undefined;
    if (whyNot !== undefined) return { state: 'failed', path, reason: whyNot };
    return {
      state: 'read',
      path,
      file: { name, reading, artifacts: folder.artifacts, results: folder.label },
    };
  } catch (error) {
    // The path is told beside the reason: once is enough.
    const told = `${baseName(path)}: `;
    if (error instanceof NightmarkError)
      return { state: 'failed', path, reason: error.message.replace(told, '') };
    throw error;
  }
}
