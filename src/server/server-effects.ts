import type { PictureMaker } from '../charts/core/picture-maker.ts';
import type { HomePlans } from '../dashboard/app/home/home-view.ts';
import type { DuetReadingEffects } from '../duet/app/read-duet-view.ts';
import type { CommitLog } from '../git/core/commit-log.ts';
import type { HomeServerEffects } from '../home/server/home-effects.ts';
import type { JobService } from '../jobs/server/job-service.ts';
import type { ChangesService } from '../judge/server/changes.ts';
import type { PointService } from '../metrics/server/point-service.ts';
import type { TokenSource } from '../platform/server/access/presented-tokens.ts';

/** What a server of a home works with; without an optional part it has no routes for it. */
export interface ServerEffects extends HomeServerEffects {
  /** Tokens that were made for this home. */
  readonly tokens?: TokenSource;
  /** Takes points; without it there are no routes for them. */
  readonly points?: PointService;
  /** The queue of jobs; without it there are no routes for them. */
  readonly jobs?: JobService;
  /** What lies between two commits of a source; absent: hashes only. */
  readonly commits?: CommitLog;
  /** Explains changes and records reviews; without it they are only read. */
  readonly changes?: ChangesService;
  /** Reads results of duets; without it there are no routes for them. */
  readonly duets?: () => Promise<DuetReadingEffects>;
  /** When the next night is, and deadlines: as the definition says now. */
  readonly plans?: () => Promise<HomePlans>;
  /** Draws pictures for places that show no SVG; absent: there are none. */
  readonly pictures?: () => Promise<PictureMaker>;
}
