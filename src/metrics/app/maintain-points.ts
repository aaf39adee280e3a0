import type { MetricsRetention } from '../../home/core/home.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { PointEngine } from './point-engine.ts';

export type MaintainedEngine = Pick<PointEngine, 'flushOld' | 'retain' | 'databases'>;

export interface MaintenanceEffects {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly report: (line: string) => void;
}

const FLUSH_CHECK_MS = 60_000;
/** Summaries of minutes and hours need no closer schedule. */
const RETAIN_MS = 3_600_000;

/**
 * Maintenance of the points of a server until cancelled: flushes what has been in memory for long, and applies the
 * retention policy at the start and then every hour. One after the other, so that nothing overlaps.
 */
export async function maintainPoints(
  engine: MaintainedEngine,
  { retention }: { readonly retention?: MetricsRetention },
  { clock, report, signal }: MaintenanceEffects & { readonly signal: CancelSignal },
): Promise<void> {
  const flushing = reportOnce('Points could not be flushed; they are safe in the log', report);
  const retaining = reportOnce('Old points could not be summarized', report);
  let retainAt = clock.now();
  while (!signal.aborted) {
    await flushing(() => engine.flushOld());
    if (retention !== undefined && clock.now() >= retainAt) {
      retainAt = clock.now() + RETAIN_MS;
      await retaining(async () => {
        for (const database of engine.databases()) {
          if (!signal.aborted) await engine.retain(database, retention);
        }
      });
    }
    await clock.sleep(FLUSH_CHECK_MS, signal);
  }
}

/** Reports the first of failures in a row, and the recovery. A server goes on, whatever the failure is. */
function reportOnce(
  what: string,
  report: MaintenanceEffects['report'],
): (work: () => Promise<void>) => Promise<void> {
  let isFailing = false;
  return async (work) => {
    try {
      await work();
      if (isFailing) report(`${what}: recovered.`);
      isFailing = false;
    } catch (error) {
      if (!isFailing) report(`${what}: ${reasonOf(error)}. It is retried.`);
      isFailing = true;
    }
  };
}

/** With the stack for a bug of ours. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${error.message} [${error.code}]` : (error.stack ?? error.message);
}
