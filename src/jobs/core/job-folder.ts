import { joinPath } from '../../platform/core/path.ts';
import { type Job, type JobSpec, shortId } from './job.ts';

/** Output folder of a job, relative to the folder of results. */
export function jobFolder({ project, experiment, name, id }: JobSpec): string {
  return joinPath(folderName(project), folderName(experiment), `${folderName(name)}_${shortId(id)}`);
}

/** Files of one job, below its folder. */
export function jobFiles(folder: string, rank: number) {
  return {
    code: joinPath(folder, 'code'),
    output: joinPath(folder, rank === 0 ? 'output.txt' : `output.worker${rank}.txt`),
    events: joinPath(folder, `events.${rank}.ndjson`),
    overrides: joinPath(folder, `overrides.${rank}.json`),
    config: joinPath(folder, 'config.yml'),
  };
}

/** A folder name that is valid on every file system; valid names stay as they are. */
function folderName(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a name
  const safe = text.replace(/[/\\\u0000-\u001f\u007f]/g, '_').slice(0, 120);
  return safe === '' || safe === '.' || safe === '..' ? `_${safe}` : safe;
}

export interface JobPlaces {
  /** Absolute output folder of the job, and the folder of all results that it lies in. */
  readonly folder: string;
  readonly results: string;
  readonly rank: number;
  readonly host: string;
  /** Where the kit lies, for scripts. */
  readonly kitDir: string;
}

/** Environment variables of a process of a job, beyond those of the worker. */
export function jobEnvironment(
  job: Job,
  { folder, results, rank, host, kitDir }: JobPlaces,
): Record<string, string> {
  const files = jobFiles(folder, rank);
  const { id, user, project, experiment, name } = job;
  return {
    ...job.env,
    NIGHTMARK_JOB_ID: id,
    NIGHTMARK_RUN_ID: jobRunId(job),
    NIGHTMARK_ATTEMPT: String(job.attempt),
    NIGHTMARK_RANK: String(rank),
    NIGHTMARK_WORKERS: String(job.workers),
    NIGHTMARK_OUTPUT_DIR: folder,
    NIGHTMARK_JOB_CONFIG: files.overrides,
    NIGHTMARK_JOB_EVENTS: files.events,
    NIGHTMARK_HELPERS: kitDir,
    NIGHTMARK_METRICS_TAGS: tagsText({ host, user, job_id: id, project, experiment, job: name }),
    JOBMONITOR_RESULTS_DIR: results,
  };
}

/** Marks the processes of one attempt, so that orphans are found. */
export function jobRunId({ id, attempt }: Pick<Job, 'id' | 'attempt'>): string {
  return `${id}-${attempt}`;
}

function tagsText(tags: Readonly<Record<string, string>>): string {
  const escaped = (text: string) => text.replace(/[,= \\]/g, '\\$&');
  return Object.entries(tags)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${escaped(key)}=${escaped(value)}`)
    .join(',');
}
