import type { PictureMaker } from '../../charts/core/picture-maker.ts';
import type { HomePlans } from '../../dashboard/app/home/home-view.ts';
import type { DuetReadingEffects } from '../../duet/app/read-duet-view.ts';
import type { CommitLog } from '../../git/core/commit-log.ts';
import type { Store } from '../../home/core/store.ts';
import type { JobService } from '../../jobs/server/effects.ts';
import type { RuleBook } from '../../judge/app/changes/rules.ts';
import type { PointService } from '../../metrics/server/effects.ts';
import type { Clock } from '../core/clock.ts';
import type { Disk } from '../core/disk.ts';
import type { CancelSignal } from '../core/signal.ts';
import type { TokenSource } from './access/token-ring.ts';

export interface ServerOptions {
  /** Absolute. */
  readonly home: string;
  /** Only names of this machine are accepted as Host, so that no foreign page can reach it through DNS. */
  readonly isLoopback: boolean;
  /** Asked for on every page but /health; absent: whoever reaches the server may read. */
  readonly token?: string;
  /** Asked for where something is written, even when everybody may read. */
  readonly writeToken?: string;
  /** Readers need a token although the server has none of its own: one that `nightmark token` made. */
  readonly asksReaders?: boolean;
  /** Nobody changes anything, whatever token is shown. */
  readonly isReadOnly?: boolean;
  /** Of the program, for the description of the API. */
  readonly version?: string;
}

export interface ServerEffects {
  readonly disk: Disk;
  readonly clock: Pick<Clock, 'now'>;
  readonly index: IndexSource;
  /** Tokens that were made for this home. */
  readonly tokens?: TokenSource;
  /** Takes points; without it there are no routes for them. */
  readonly points?: PointService;
  /** The queue of jobs; without it there are no routes for them. */
  readonly jobs?: JobService;
  /** What lies between two commits of a source; absent: hashes only. */
  readonly commits?: CommitLog;
  /** Explains changes and writes down what people say of them; without it they are only read. */
  readonly changes?: ChangesService;
  /** Reads results of duets; without it there are no routes for them. */
  readonly duets?: () => Promise<DuetReadingEffects>;
  /** When the next night is, and deadlines: as the definition says now. */
  readonly plans?: () => Promise<HomePlans>;
  /** Draws pictures for places that show no SVG; absent: there are none. */
  readonly pictures?: () => Promise<PictureMaker>;
  /** A line for whoever runs the server: what clients are not told. */
  report(line: string): void;
}

/** What changes take beyond the index for reading. */
export interface ChangesService {
  /** As the definition of the home says now. */
  rules(): Promise<RuleBook>;
  readonly commits: CommitLog;
  readonly signal: CancelSignal;
  /** The index for writing, while the work lasts. */
  write<T>(work: (store: Store) => Promise<T>): Promise<T>;
}

/** The index of the home, which may appear or be replaced while the server runs. */
export interface IndexSource {
  /** Undefined while there is none. Who opened it keeps it: callers do not close it. */
  current(): Promise<Store | undefined>;
  /** A word that changes whenever anything in the index may have; absent or undefined where nobody knows. */
  version?(): string | undefined;
}
