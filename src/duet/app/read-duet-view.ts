import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';
import type { Verdict } from '../../stats/verdict.ts';
import { DEFAULT_ANALYSIS, type DuetAnalysis } from '../core/analysis/duet-analysis.ts';
import { headline } from '../core/analysis/group-text.ts';
import type { DuetBenchmark, DuetSuite } from '../core/duet.ts';
import type { DuetIterations } from '../core/duet-iterations.ts';
import type { DuetJournalEvent, DuetRunProblem } from '../core/duet-journal.ts';
import type { Artifact } from '../core/table/iteration-table.ts';
import { analyzeDuets } from './analyze-duets.ts';
import { findResults } from './find-results.ts';
import type { IterationEffects } from './process-results.ts';
import { type DuetEntry, type DuetPlace, readDuetEntry, readDuetJournal } from './read-duet-list.ts';
import { resultsFolder } from './results-folder.ts';

/** One folder or table of duets, judged, with what it was measured with. */
export interface DuetView {
  readonly entry: DuetEntry;
  readonly analysis: DuetAnalysis;
  /** What commands of the host printed. */
  readonly artifacts: readonly Artifact[];
  /** Facts of the machine, as they were probed. */
  readonly machine?: JsonObject;
  /** The duets of the definition, with both sides. */
  readonly benchmarks: readonly DuetBenchmark[];
  readonly files: readonly DuetFile[];
  /** What went wrong in runs. */
  readonly problems: readonly DuetProblem[];
}

interface DuetFile {
  readonly file: string;
  readonly name: string;
  readonly seed: number;
  readonly engine: string;
  readonly filter: readonly string[];
  readonly text: string;
}

interface DuetProblem extends DuetRunProblem {
  readonly benchmark: string;
  readonly runid: number;
  readonly type: string;
}

export interface DuetReading {
  readonly view: DuetView;
  readonly runs: readonly DuetIterations[];
}

export interface DuetReadingEffects extends IterationEffects {
  /** The definition in a text; undefined where this version does not understand it. */
  suiteOf(file: string, text: string): DuetSuite | undefined;
}

/** What the list of duets says of one. */
export interface DuetVerdicts {
  readonly headline: string;
  readonly counts: Readonly<Record<Verdict, number>>;
}

export function duetVerdicts({ analysis: { groups, options } }: DuetView): DuetVerdicts {
  const counts = { slower: 0, faster: 0, undecided: 0, same: 0 };
  for (const { judgement } of groups) counts[judgement.verdict]++;
  return { headline: headline(groups, options.minEffect), counts };
}

const MAX_MACHINE_BYTES = 1024 * 1024;
/** More are counted by their runs. */
const MAX_PROBLEMS = 500;

export async function readDuetView(place: DuetPlace, effects: DuetReadingEffects): Promise<DuetReading> {
  const { disk } = effects;
  const request = { sources: [place.path], options: DEFAULT_ANALYSIS, withOthers: true };
  const { analysis, runs } = await analyzeDuets(request, effects);
  const events = await readDuetJournal(place, disk);
  const files = events.flatMap((event) => (event.type === 'file' ? [event] : []));
  const suites = files.flatMap(({ file, text }) => effects.suiteOf(file, text) ?? []);
  const isFolder = place.type === 'folder';
  const machine = isFolder ? await readMachine(place.path, effects) : undefined;
  const view: DuetView = {
    entry: await readDuetEntry(place, disk),
    analysis,
    artifacts: isFolder ? (await findResults(place.path, { lenient: true }, disk)).artifacts : [],
    ...(machine && { machine }),
    benchmarks: suites.flatMap(({ benchmarks }) => benchmarks),
    files: files.map(({ file, name, seed, engine, filter, text }) => {
      return { file, name, seed, engine, filter, text };
    }),
    problems: problemsOf(events).slice(0, MAX_PROBLEMS),
  };
  return { view, runs };
}

/** Of the newest attempt of each run. */
function problemsOf(events: readonly DuetJournalEvent[]): readonly DuetProblem[] {
  const newest = new Map<string, readonly DuetProblem[]>();
  for (const event of events) {
    if (event.type !== 'run-ended') continue;
    const { run, problems } = event.record;
    const { benchmark, runid, type } = run;
    newest.set(
      `${event.config} ${event.index}`,
      problems.map((problem) => ({ ...problem, benchmark, runid, type })),
    );
  }
  return [...newest.values()].flat();
}

async function readMachine(path: string, { disk }: IterationEffects): Promise<JsonObject | undefined> {
  const limits = { maxBytes: MAX_MACHINE_BYTES, within: path };
  const text = await disk.readText(resultsFolder(path).machine, limits);
  if (text === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    return isJsonObject(read as JsonObject) ? (read as JsonObject) : undefined;
  } catch (error) {
    // Torn by a crash: the rest is shown all the same.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
