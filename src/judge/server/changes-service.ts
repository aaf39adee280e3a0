import type { CommitLog } from '../../git/core/commit-log.ts';
import type { Store } from '../../home/core/store.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { RuleBook } from '../app/changes/rules.ts';

/** What changes take beyond the index for reading. */
export interface ChangesService {
  /** As the definition of the home says now. */
  rules(): Promise<RuleBook>;
  readonly commits: CommitLog;
  readonly signal: CancelSignal;
  /** The index for writing, while the work lasts. */
  write<T>(work: (store: Store) => Promise<T>): Promise<T>;
}
