import { dirName, joinPath } from '../../platform/core/path.ts';
import type { DuetBenchmark, DuetSuite, PlannedRun } from '../core/duet.ts';
import type { DuetFileRecord, DuetRunRecord } from '../core/duet-journal.ts';
import type { StaleResults } from './result-files.ts';
import type { ResultsFolder, RunJournal } from './results-folder.ts';
import { gatherArtifacts } from './run-artifacts.ts';
import type { DuetRunEffects } from './run-effects.ts';
import { runPlanned } from './run-planned.ts';

/** One duet.yml that could be read, and its plan. */
export interface DuetFileJob {
  /** As it was given. */
  readonly file: string;
  readonly path: string;
  readonly text: string;
  /** SHA-256 of the text. */
  readonly config: string;
  readonly suite: DuetSuite;
  readonly seed: number;
  readonly runs: readonly PlannedRun[];
}

export interface FileOutcome {
  readonly file: string;
  readonly name: string;
  readonly seed: number;
  /** Runs of the plan, of which `records` have ended and `ran` were run now. */
  readonly total: number;
  readonly ran: number;
  readonly records: readonly DuetRunRecord[];
  /** Containers and folders that were kept. */
  readonly kept: readonly string[];
}

interface FileRequest {
  readonly job: DuetFileJob;
  /** Its record in the journal: plan, seed and engine are those of the record. */
  readonly record: DuetFileRecord;
  readonly folder: ResultsFolder;
  readonly journal: RunJournal;
  readonly stale: StaleResults;
  readonly runId: string;
  readonly verbose: boolean;
}

/** Runs the part of the plan of one file that is not done yet. */
export async function runFile(request: FileRequest, effects: DuetRunEffects): Promise<FileOutcome> {
  const { job, record, folder, journal } = request;
  const { name, plan, config, seed } = record;
  const { report, signal } = effects;
  announce(request, effects);
  report({ type: 'artifacts', name });
  await gatherArtifacts(
    {
      artifacts: job.suite.artifacts,
      folder,
      warn: (text) => report({ type: 'warning', name, text }),
      gathered: (artifact, exit) => journal.record({ type: 'artifact', config, ...artifact, exit }),
    },
    effects,
  );
  const estimate = new RunEstimate(plan.filter((_, index) => !journal.ended(config, index)));
  const kept: string[] = [];
  let ran = 0;
  for (const [index, run] of plan.entries()) {
    if (signal.aborted) break;
    if (journal.ended(config, index)) continue;
    const done = await runOne({ ...request, kept }, { run, index, leftMs: estimate.leftMs() }, effects);
    estimate.add(run, done.endedAt - done.startedAt);
    ran++;
  }
  const records = plan.flatMap((_, index) => journal.ended(config, index) ?? []);
  return { file: job.file, name, seed, total: plan.length, ran, records, kept };
}

interface PlannedEntry {
  readonly run: PlannedRun;
  readonly index: number;
  readonly leftMs: number | undefined;
}

async function runOne(
  request: FileRequest & { readonly kept: string[] },
  { run, index, leftMs }: PlannedEntry,
  effects: DuetRunEffects,
): Promise<DuetRunRecord> {
  const { job, record, folder, journal, stale, runId, kept } = request;
  const { name, config, plan, engine } = record;
  const { report, clock } = effects;
  const benchmark = benchmarkOf(job, run);
  const at = clock.now();
  const total = plan.length;
  report({ type: 'run-started', name, run, index, total, at, ...(leftMs !== undefined && { leftMs }) });
  await stale.remove(run, benchmark);
  journal.record({ type: 'run-started', config, index, at });
  const done = await runPlanned(
    {
      ...{ run, benchmark, folder, runId, engine, configDir: dirName(job.path) },
      step: (step) => report({ type: 'step', name, run, step }),
      kept: (place) => void kept.push(place),
    },
    effects,
  );
  journal.record({ type: 'run-ended', config, index, record: done });
  await showOutput(request, done, effects);
  for (const problem of done.problems) report({ type: 'run-problem', name, run, problem });
  report({ type: 'run-ended', name, record: done });
  return done;
}

function announce({ job, record, journal }: FileRequest, { report }: DuetRunEffects): void {
  const { name, seed, engine, filter, plan, config } = record;
  const { benchmarks } = job.suite;
  const planned = new Set(plan.map(({ benchmark }) => benchmark));
  const hasImage = benchmarks.some(({ sides }) => sides.A.image !== undefined || sides.B.image !== undefined);
  report({
    ...{ type: 'file-started', name, path: job.file, seed, filter, plan },
    ...(hasImage && { engine }),
    excluded: filter.length === 0 ? 0 : benchmarks.filter((it) => !filter.includes(it.name)).length,
    done: plan.filter((_, index) => journal.ended(config, index)).length,
  });
  for (const benchmark of benchmarks) {
    if (!planned.has(benchmark.name)) continue;
    for (const path of sharedPaths(benchmark)) {
      const text = `${benchmark.name}: A and B both write ${path} on this machine; give them relative paths, which are in folders of their own.`;
      report({ type: 'warning', name, text });
    }
  }
}

/** Absolute paths at which two local sides would overwrite each other. */
function sharedPaths({ sides: { A, B } }: DuetBenchmark): readonly string[] {
  if (A.image !== undefined || B.image !== undefined) return [];
  return A.results.filter((path) => path.startsWith('/') && B.results.includes(path));
}

const SHOWN_BYTES = 64 * 1024;
const SHOWN_LINES = 10;

/** With --verbose all that the sides printed; otherwise the last lines when something failed. */
async function showOutput(
  { folder, verbose, record: { name } }: FileRequest,
  { sides, outcome }: DuetRunRecord,
  { disk, report }: DuetRunEffects,
): Promise<void> {
  if (!verbose && outcome === 'done') return;
  for (const side of ['A', 'B'] as const) {
    const log = sides[side]?.log;
    if (log === undefined) continue;
    const ends = await disk.readEnds(joinPath(folder.dir, log), { headBytes: 0, tailBytes: SHOWN_BYTES });
    const lines = `${ends?.head ?? ''}${ends?.tail ?? ''}`.replace(/\n$/, '').split('\n');
    report({ type: 'output', name, side, text: lines.slice(verbose ? 0 : -SHOWN_LINES).join('\n') });
  }
}

function benchmarkOf({ suite }: DuetFileJob, run: PlannedRun): DuetBenchmark {
  const found = suite.benchmarks.find(({ name }) => name === run.benchmark);
  if (!found) throw new Error(`the plan names ${run.benchmark}, which is not in the suite`);
  return found;
}

interface RunKind {
  ms: number;
  count: number;
  left: number;
}

/** Estimates how long the rest of a plan takes, from how long runs of the same kind took. */
export class RunEstimate {
  readonly #kinds = new Map<string, RunKind>();

  constructor(todo: readonly PlannedRun[]) {
    for (const run of todo) this.#kindOf(run).left++;
  }

  /** A run of the list has ended. */
  add(run: PlannedRun, ms: number): void {
    const kind = this.#kindOf(run);
    kind.ms += ms;
    kind.count++;
    kind.left--;
  }

  /** Undefined while nothing has been run. Kinds that were not seen yet count as the mean of all. */
  leftMs(): number | undefined {
    const kinds = [...this.#kinds.values()];
    const all = kinds.reduce((sum, { ms, count }) => ({ ms: sum.ms + ms, count: sum.count + count }), {
      ms: 0,
      count: 0,
    });
    if (all.count === 0) return undefined;
    return kinds.reduce((sum, kind) => {
      const { ms, count } = kind.count === 0 ? all : kind;
      return sum + (kind.left * ms) / count;
    }, 0);
  }

  #kindOf({ type, benchmark }: PlannedRun): RunKind {
    const key = `${type} ${benchmark}`;
    const known = this.#kinds.get(key);
    if (known) return known;
    const kind = { ms: 0, count: 0, left: 0 };
    this.#kinds.set(key, kind);
    return kind;
  }
}
