import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName } from '../../platform/core/path.ts';
import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { analyzeIterations } from '../core/analysis/analyze-iterations.ts';
import type { AnalysisOptions, DuetAnalysis } from '../core/analysis/duet-analysis.ts';
import { type DuetIterations, labelEnvironments } from '../core/duet-iterations.ts';
import { cpuOfRuns, parseDuetJournal, runKey } from '../core/duet-journal.ts';
import { collectRuns } from '../core/table/collect-runs.ts';
import { createTableReader } from '../core/table/table-reader.ts';
import { type IterationEffects, processResults } from './process-results.ts';
import { resultsFolder } from './results-folder.ts';

interface AnalyzeRequest {
  /** Tables and folders of results; their runs are joined. */
  readonly sources: readonly string[];
  readonly options: AnalysisOptions;
  /** Also what other estimators say of the same runs. */
  readonly withOthers: boolean;
}

interface AnalyzedDuets {
  readonly analysis: DuetAnalysis;
  /** What was analysed, for timelines. */
  readonly runs: readonly DuetIterations[];
}

/** Reads iterations and judges them. Runs of different sources are different runs, also where they have one number. */
export async function analyzeDuets(
  { sources, options, withOthers }: AnalyzeRequest,
  effects: IterationEffects,
): Promise<AnalyzedDuets> {
  const read: DuetIterations[] = [];
  const notes: string[] = [];
  for (const source of sources) {
    const table = await readIterationTable(source, effects);
    for (const run of table.runs) read.push(run);
    notes.push(...table.notes);
  }
  const runs = options.compat ? labelEnvironments(read) : read;
  const analysis = analyzeIterations(runs, options, { withOthers });
  return { analysis: { ...analysis, notes: [...notes, ...analysis.notes] }, runs };
}

interface IterationTable {
  /** In the order in which they were met. Runs of different folders are different runs, also under one runid. */
  readonly runs: readonly DuetIterations[];
  /** What could not be read, with file and line; counted where there is much of it. */
  readonly notes: readonly string[];
}

/** Reads iterations of a table (`duet process`, or the original's) or straight from a folder of results. */
export async function readIterationTable(path: string, effects: IterationEffects): Promise<IterationTable> {
  const isFolder = (await effects.disk.stat(path))?.type === 'folder';
  return isFolder ? readFolder(path, effects) : readTable(path, effects);
}

async function readTable(path: string, { disk, signal }: IterationEffects): Promise<IterationTable> {
  const chunks = await disk.readChunks(path);
  if (chunks === undefined) {
    throw new NightmarkError('DUET_NO_RESULTS', `There is neither a table nor a folder ${path}.`, {
      hint: 'Name a table that "nightmark duet process" wrote, or a folder of results.',
    });
  }
  const reader = createTableReader(path, baseName(path).replace(/\.[^.]*$/, ''));
  for await (const chunk of chunks) {
    if (signal.aborted) throw new NightmarkError('DUET_INTERRUPTED', `Reading ${path} was interrupted.`);
    reader.push(chunk);
  }
  return reader.finish();
}

const MAX_JOURNAL_BYTES = 256 * 1024 * 1024;

/** So many problems are named; `duet process` names them all. */
const NAMED = 20;

async function readFolder(path: string, effects: IterationEffects): Promise<IterationTable> {
  const files = collectRuns();
  const { problems, failedFiles, failedRows } = await processResults({ dirs: [path] }, files, effects);
  const notes = problems.slice(0, NAMED).map(({ file, reason }) => `${file}: ${reason}`);
  if (problems.length > NAMED) {
    const files = plainly(counted(failedFiles, 'file'));
    const rows = plainly(counted(failedRows, 'row'));
    notes.push(
      `In total ${files} and ${rows} of ${path} could not be read: nightmark duet process lists them.`,
    );
  }
  const runs = files.finish((note) => notes.push(note));
  return { runs: await withCpu(runs, path, effects.disk), notes };
}

/** The runs with the CPU time that the journal of the folder has of them; a folder of the original has no journal. */
async function withCpu(
  runs: readonly DuetIterations[],
  path: string,
  disk: Disk,
): Promise<readonly DuetIterations[]> {
  const text = await disk.readText(resultsFolder(path).journal, {
    maxBytes: MAX_JOURNAL_BYTES,
    within: path,
  });
  if (text === undefined) return runs;
  const known = cpuOfRuns(parseDuetJournal(text));
  return runs.map((run) => {
    const cpu = known.get(runKey(run));
    return cpu ? { ...run, cpu } : run;
  });
}
