import type { RawPlaces } from '../../experiment/app/stage-places.ts';
import type { Home, Task } from '../../home/core/home.ts';
import type { HomeLayout, runFiles } from '../../home/core/home-layout.ts';
import type { RunOptions } from '../../home/core/journal.ts';
import type { Run } from '../../home/core/run.ts';
import type { NightEffects } from './effects.ts';
import type { NightBook } from './night-book.ts';

/** A night that is going on: what its steps share. */
export interface Night {
  readonly home: Home;
  readonly run: Run;
  readonly options: RunOptions;
  readonly layout: HomeLayout;
  readonly files: ReturnType<typeof runFiles>;
  readonly raw: RawPlaces;
  readonly book: NightBook;
  readonly effects: NightEffects;
  /** Tasks of this night in found order. */
  readonly experiments: readonly Task[];
  readonly subsystems: readonly Task[];
  /** Hash of the TVM that scripts use, where there is one. */
  readonly tvmHash: string | undefined;
}
