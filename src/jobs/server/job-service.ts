import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import type { PointAdmin, PointReader } from '../../metrics/core/points/point-reader.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Worker } from '../../platform/core/lock.ts';
import type { Access } from '../../platform/server/access/access.ts';
import type { ComparedCode } from '../app/compare-code.ts';
import type { Job } from '../core/job.ts';
import type { JobQueue } from '../core/job-queue.ts';

/** What the job routes use; absent where a server has no queue. */
export interface JobService {
  readonly queue: JobQueue;
  /** Changes with every write; absent: unknown without reading. */
  readonly version?: () => Promise<string>;
  /** Absolute folder of results. */
  readonly results: string;
  /** Metrics of jobs, where this server takes no points itself. */
  readonly reader?: PointReader;
  /** A whole number of 32 bits, for ids. */
  randomSeed(): number;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Whether a process of this machine is alive; undefined for other machines. */
  isAlive(worker: Worker): boolean | undefined;
  /** File by file; undefined where one has no package, or both have the same. Absent: this server unpacks nothing. */
  compareCode?(jobs: readonly [Job, Job]): Promise<ComparedCode | undefined>;
}

/** The service with what it needs of the server. */
export interface JobEffects extends Pick<HomeServerEffects, 'disk' | 'clock' | 'report'> {
  readonly jobs: JobService;
  readonly access: Access;
  /** Where metrics of jobs are, if points are stored. */
  readonly reader?: PointReader;
  readonly admin?: PointAdmin;
}
