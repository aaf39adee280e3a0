import { joinPath } from '../../platform/core/path.ts';

/** Where things are in a home; the results layout is that of the nightly dashboard, so old readers find it. */
export interface HomeLayout {
  readonly config: (kind: TaskKind, task: string) => string;
  /** Directions of series that a home of the nightly dashboard declares. */
  readonly directions: string;
  readonly status: (kind: TaskKind, task: string) => string;
  readonly data: (experiment: string) => string;
  readonly graph: (experiment: string) => string;
  readonly summary: (experiment: string) => string;
  readonly output: (subsystem: string) => string;
  readonly telemetry: (experiment: string) => string;
  /** Payloads of the tests of a workload, as files. */
  readonly payloads: (workload: string) => string;
  /** Folders of results of duets, and tables of them. */
  readonly duets: string;
  /** Everything of ours except results: index, journals, logs, caches. */
  readonly own: string;
  readonly index: string;
  /** The ledger of changes: what was found in series, and reviews. */
  readonly changes: string;
  /** Time series: blocks and a log. */
  readonly points: string;
  /** The queue of jobs; what it holds is nowhere else. */
  readonly jobs: string;
  /** What waits to be mirrored, a folder for each target. */
  readonly forward: string;
  readonly jobResults: string;
  readonly lock: string;
  readonly runs: string;
  /** Holds the id of the night that runs or was interrupted. */
  readonly current: string;
  /** Unfinished files; emptied when a night begins. */
  readonly staging: string;
  /** What is deleted during a night; emptied when it ends. */
  readonly trash: string;
  readonly scheduleState: string;
  /** Delivered notices, and those still to be sent. */
  readonly notices: string;
  readonly sourceCache: string;
}

type TaskKind = 'experiment' | 'subsystem';

const FOLDER = { experiment: 'experiments', subsystem: 'subsystem' } as const;

export function homeLayout(home: string): HomeLayout {
  const results = joinPath(home, 'results');
  const own = joinPath(home, '.nightmark');
  return {
    config: (kind, task) => joinPath(home, 'config', FOLDER[kind], task),
    directions: joinPath(home, 'config/directions.yml'),
    status: (kind, task) => joinPath(results, FOLDER[kind], 'status', task),
    data: (experiment) => joinPath(results, 'experiments/data', experiment),
    graph: (experiment) => joinPath(results, 'experiments/graph', experiment),
    summary: (experiment) => joinPath(results, 'experiments/summary', experiment),
    output: (subsystem) => joinPath(results, 'subsystem/output', subsystem),
    telemetry: (experiment) => joinPath(results, 'subsystem/telemetry', experiment),
    payloads: (workload) => joinPath(results, 'payloads', workload),
    duets: joinPath(results, 'duets'),
    own,
    index: joinPath(own, 'index.db'),
    changes: joinPath(own, 'changes.ndjson'),
    points: joinPath(own, 'points'),
    jobs: joinPath(own, 'jobs.db'),
    forward: joinPath(own, 'points/forward'),
    jobResults: joinPath(results, 'jobs'),
    lock: joinPath(own, 'lock'),
    runs: joinPath(own, 'runs'),
    current: joinPath(own, 'current'),
    staging: joinPath(own, 'staging'),
    trash: joinPath(own, 'trash'),
    scheduleState: joinPath(own, 'schedule.json'),
    notices: joinPath(own, 'notices.json'),
    sourceCache: joinPath(own, 'cache/sources'),
  };
}

/** Files of one run below HOME/.nightmark/runs/<id>. */
export function runFiles(home: string, runId: string) {
  const dir = joinPath(homeLayout(home).runs, runId);
  return {
    dir,
    journal: joinPath(dir, 'journal.ndjson'),
    log: (kind: TaskKind, task: string, stage: string) =>
      joinPath(dir, 'logs', FOLDER[kind], task, `${stage}.log`),
    /** Raw samples of an inline experiment, with units and directions. */
    samples: (task: string) => joinPath(dir, 'samples', `${task}.json`),
  };
}

/** Names of the archives of a night, as the nightly dashboard has always given them. */

export function backupName(label: string, when: 'before' | 'after'): string {
  return `dashboard_${label}${when === 'after' ? '_after' : ''}.tar.gz`;
}

export function rawArchiveName(label: string): string {
  return `benchmarks_${label}_data.tar.gz`;
}

/** The label in the name of a backup; undefined for any other name. */
export function labelOfBackup(name: string): string | undefined {
  return /^dashboard_([^/]+?)(?:_after)?\.tar\.gz$/.exec(name)?.[1];
}

/** The label in the name of a raw archive; undefined for any other name. */
export function labelOfRawArchive(name: string): string | undefined {
  return /^benchmarks_([^/]+)_data\.tar\.gz$/.exec(name)?.[1];
}
