import { NightmarkError } from '../../platform/core/errors.ts';
import type { DuetFileRecord } from '../core/duet-journal.ts';
import { planRuns } from '../core/plan-runs.ts';
import type { DuetFileJob } from './run-duets.ts';

export interface RecordOptions {
  /** Overrides the engine of the files. */
  readonly engine?: string;
  readonly filter: readonly string[];
}

/** A file as it is written down before its first run. */
export function toRecord(job: DuetFileJob, { engine, filter }: RecordOptions): DuetFileRecord {
  const { file, config, text, suite, seed, runs } = job;
  const chosen = engine ?? suite.engine ?? 'docker';
  return { type: 'file', file, name: suite.name, config, text, seed, engine: chosen, filter, plan: runs };
}

/** The earlier record of each file. Only the same files with the same plan may be resumed. */
export function findRecords(
  jobs: readonly DuetFileJob[],
  recorded: readonly DuetFileRecord[],
  { filter, seed }: { readonly filter: readonly string[]; readonly seed?: number },
): readonly (DuetFileRecord | undefined)[] {
  return jobs.map((job) => {
    const record = recorded.find(({ config }) => config === job.config);
    if (!record) {
      // One that was refused the first time has no record, and may have been mended since.
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
