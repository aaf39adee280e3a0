import { newRunId } from '../../home/app/run-id.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { DuetFileRecord } from '../core/duet-journal.ts';
import { planRuns } from '../core/plan-runs.ts';
import { withoutDots } from '../core/result-name.ts';
import { findStale } from './result-files.ts';
import {
  type FolderRequest,
  lockFolder,
  openRunJournal,
  type ResultsFolder,
  type RunJournal,
  resultsFolder,
} from './results-folder.ts';
import type { DuetRunEffects } from './run-effects.ts';
import { type DuetFileJob, type FileOutcome, runFile } from './run-file.ts';

export interface DuetRunRequest extends FolderRequest {
  readonly files: readonly DuetFileJob[];
  readonly filter: readonly string[];
  /** From the command line; the files have their own. */
  readonly seed?: number;
  readonly engine?: string;
  readonly verbose: boolean;
}

export interface DuetRunOutcome {
  readonly dir: string;
  readonly files: readonly FileOutcome[];
  /** Files that write the same results as one before them. */
  readonly refused: readonly string[];
  readonly isInterrupted: boolean;
}

/** Runs duet.yml files, one after another, into one folder of results. */
export async function runDuets(request: DuetRunRequest, effects: DuetRunEffects): Promise<DuetRunOutcome> {
  const runId = newRunId(effects.clock.now(), effects.randomSeed());
  const folder = resultsFolder(request.dir);
  const release = await lockFolder(request, runId, effects);
  try {
    const journal = await openRunJournal(folder, { resume: request.resume, runId }, effects.disk);
    try {
      return await runInFolder({ request, folder, journal, runId }, effects);
    } finally {
      journal.close();
    }
  } finally {
    release();
  }
}

interface OpenFolder {
  readonly request: DuetRunRequest;
  readonly folder: ResultsFolder;
  readonly journal: RunJournal;
  readonly runId: string;
}

async function runInFolder(open: OpenFolder, effects: DuetRunEffects): Promise<DuetRunOutcome> {
  const { request, folder, journal, runId } = open;
  const { clock, signal, disk } = effects;
  const { jobs, refused } = refuseSameResults(request.files, effects);
  const earlier = findRecords(jobs, journal.files, request);
  await begin(open, effects);
  const records = jobs.map((job, index) => earlier[index] ?? toRecord(job, request));
  await endLeftovers(folder, records, effects);
  const stale = await findStale(folder, disk);
  const files: FileOutcome[] = [];
  for (const [index, job] of jobs.entries()) {
    const record = records[index];
    if (!record || signal.aborted) break;
    if (!earlier[index]) journal.record(record);
    const verbose = request.verbose || job.suite.verbose;
    files.push(await runFile({ job, record, folder, journal, stale, runId, verbose }, effects));
  }
  await disk.remove(folder.incoming);
  const isInterrupted = signal.aborted && files.some(({ records: done, total }) => done.length < total);
  journal.record({ type: 'end', at: clock.now(), interrupted: isInterrupted });
  return { dir: request.dir, files, refused, isInterrupted: isInterrupted || files.length < jobs.length };
}

async function begin(
  { request, folder, journal, runId }: OpenFolder,
  effects: DuetRunEffects,
): Promise<void> {
  const { disk, clock, machine, version, executor } = effects;
  const facts = await machine.probe();
  await disk.writeText(folder.machine, `${JSON.stringify(facts, null, 2)}\n`);
  const at = clock.now();
  if (request.resume) journal.record({ type: 'resume', at, runId, version });
  else journal.record({ type: 'begin', at, runId, version, machineId: facts.id });
  await executor.ready();
}

/** What a run that was killed has left: on this machine, and in the engines that are used now. */
async function endLeftovers(
  { work, incoming }: ResultsFolder,
  records: readonly DuetFileRecord[],
  { sandboxes, disk, report }: DuetRunEffects,
): Promise<void> {
  await disk.remove(incoming);
  let count = await sandboxes.process.endLeftovers({ workDir: work });
  for (const engine of new Set(records.map((record) => record.engine))) {
    count += await sandboxes.container.endLeftovers({ workDir: work, engine });
  }
  if (count > 0) {
    const text = `Removed ${count} sandboxes that an interrupted run left behind.`;
    report({ type: 'note', name: records[0]?.name ?? '', text });
  }
}

/** Two files with the same suite and benchmark would overwrite each other's results: the later one is not run. */
function refuseSameResults(files: readonly DuetFileJob[], { report }: DuetRunEffects) {
  const writers = new Map<string, string>();
  const jobs: DuetFileJob[] = [];
  const refused: string[] = [];
  for (const job of files) {
    const names = new Set(job.runs.map(({ benchmark }) => benchmark));
    const keys = job.suite.benchmarks
      .filter(({ name }) => names.has(name))
      .map(({ suite, name }) => `${withoutDots(suite)}.${withoutDots(name)}`);
    const taken = keys.find((key) => writers.has(key));
    if (taken === undefined) {
      for (const key of keys) writers.set(key, job.file);
      jobs.push(job);
      continue;
    }
    const reason = `${taken} is also written by ${writers.get(taken)}: run the files into folders of their own (-o).`;
    report({ type: 'refused', file: job.file, reason });
    refused.push(job.file);
  }
  return { jobs, refused };
}

interface RecordOptions {
  /** Overrides the engine of the files. */
  readonly engine?: string;
  readonly filter: readonly string[];
}

/** The record of a file, written before its first run. */
function toRecord(job: DuetFileJob, { engine, filter }: RecordOptions): DuetFileRecord {
  const { file, config, text, suite, seed, runs } = job;
  const chosen = engine ?? suite.engine ?? 'docker';
  return { type: 'file', file, name: suite.name, config, text, seed, engine: chosen, filter, plan: runs };
}

/** The earlier record of each file. Only the same files with the same plan may be resumed. */
function findRecords(
  jobs: readonly DuetFileJob[],
  recorded: readonly DuetFileRecord[],
  { filter, seed }: { readonly filter: readonly string[]; readonly seed?: number },
): readonly (DuetFileRecord | undefined)[] {
  return jobs.map((job) => {
    const record = recorded.find(({ config }) => config === job.config);
    if (!record) {
      // A file that was refused the first time has no record, and may have been fixed since.
      const changed = recorded.find(({ file }) => file === job.file);
      if (changed) throw differs(`${job.file} has changed since`);
      return undefined;
    }
    const used = { seed: seed ?? record.seed, filter: filter.length === 0 ? record.filter : filter };
    const plan = planRuns(job.suite, used);
    if (JSON.stringify(plan) === JSON.stringify(record.plan)) return record;
    throw differs(`--seed or --filter give another plan for ${job.file}`);
  });
}

function differs(why: string): NightmarkError {
  return new NightmarkError('DUET_RESUME_DIFFERS', `The run cannot be resumed: ${why}.`, {
    hint: 'Resume with the same files and options, or start anew in another folder (-o).',
  });
}
