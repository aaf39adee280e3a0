import type { Checkout, Source, SourceControl } from '../../git/core/source-control.ts';
import type { Task } from '../../home/core/home.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import type { CancelSignal } from '../../platform/core/signal.ts';

export interface PrepareSourcesRequest {
  readonly home: string;
  readonly tasks: readonly Task[];
  readonly runId: string;
  /** false: measure the newest builds as they are (run --no-build). */
  readonly fetch: boolean;
  readonly env: Readonly<Record<string, string>>;
}

export interface PrepareSourcesEffects {
  readonly control: SourceControl;
  readonly signal: CancelSignal;
  readonly report?: (line: string) => void;
  readonly logFile: (task: Task) => string;
}

export type PreparedSources =
  | { readonly state: 'ready'; readonly checkouts: Readonly<Record<string, Checkout>> }
  | { readonly state: 'failed'; readonly message: string };

/**
 * Prepares what the tasks measure, by task name. What several tasks share is prepared once; a failure fails the
 * tasks that use it and nobody else. Throws only when it is interrupted.
 */
export async function prepareSources(
  request: PrepareSourcesRequest,
  effects: PrepareSourcesEffects,
): Promise<ReadonlyMap<string, PreparedSources>> {
  const done = new Map<string, Promise<Outcome>>();
  const prepared = new Map<string, PreparedSources>();
  for (const task of request.tasks) {
    const checkouts: Record<string, Checkout> = {};
    const failures: string[] = [];
    for (const source of task.sources) {
      const key = JSON.stringify([source.name, source.git, source.ref ?? null, source.build ?? null]);
      const preparing = done.get(key) ?? prepareOne(source, task, request, effects);
      done.set(key, preparing);
      const outcome = await preparing;
      if (outcome.state === 'failed') failures.push(outcome.message);
      else checkouts[source.name] = outcome.checkout;
    }
    const message = failures.join('\n');
    prepared.set(
      task.name,
      failures.length > 0 ? { state: 'failed', message } : { state: 'ready', checkouts },
    );
  }
  return prepared;
}

type Outcome =
  | { readonly state: 'ready'; readonly checkout: Checkout }
  | { readonly state: 'failed'; readonly message: string };

async function prepareOne(
  source: Source,
  task: Task,
  { home, runId, fetch, env }: PrepareSourcesRequest,
  { control, signal, report, logFile }: PrepareSourcesEffects,
): Promise<Outcome> {
  const revision = source.ref === undefined ? '' : ` (${source.ref})`;
  report?.(`source ${source.name}${revision}: preparing`);
  try {
    const checkout = await control.prepare(
      {
        source,
        cacheDir: homeLayout(home).sourceCache,
        logFile: logFile(task),
        fetch,
        env: { ...env, NIGHTMARK_RUN_ID: runId },
      },
      signal,
    );
    report?.(`source ${source.name}${revision}: ${checkout.shortCommit}`);
    return { state: 'ready', checkout };
  } catch (error) {
    if (signal.aborted) throw error;
    const hint = error instanceof NightmarkError && error.hint !== undefined ? `\n${error.hint}` : '';
    report?.(`source ${source.name}${revision}: failed`);
    return { state: 'failed', message: `${messageOf(error)}${hint}` };
  }
}
