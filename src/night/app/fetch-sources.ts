import { NO_SOURCES, sourceEnvironment, type TaskSources } from '../../experiment/app/stage-command.ts';
import type { Checkout, Source, SourceControl } from '../../git/core/source-control.ts';
import type { Task } from '../../home/core/home.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import type { Night } from './night.ts';

export type SourcesOf = (task: Task) => TaskSources;
type Checkouts = Readonly<Record<string, Checkout>>;

/** Fetches and builds the sources of all active tasks, and records what each is measured with. */
export async function fetchSources(night: Night): Promise<SourcesOf> {
  const { recorder, effects, home, run } = night;
  const users = [...night.experiments, ...night.subsystems].filter(
    (task) =>
      task.state === 'active' &&
      task.sources.length > 0 &&
      recorder.result(task, 'source')?.success !== false,
  );
  if (users.length === 0) return () => NO_SOURCES;

  const startedAt = effects.clock.now();
  const prepared = await prepareSources(
    {
      home: home.dir,
      tasks: users.map((task) => asRecorded(night, task)),
      runId: run.id,
      fetch: night.options.build,
      env: effects.env,
    },
    {
      control: await effects.openControl(),
      signal: effects.signal,
      report: (text) => effects.report({ type: 'step', text }),
      logFile: (task) => night.files.log(task.kind, task.name, 'source'),
    },
  );
  const found = new Map<string, TaskSources>();
  const last = await lastCommits(night);
  for (const task of users) {
    const sources = prepared.get(task.name);
    let message = sources?.state === 'failed' ? sources.message : '';
    if (sources?.state === 'ready') {
      found.set(task.name, await record(night, task, sources.checkouts));
      message = await recordSourceState(night, task, sourceState(task, sources.checkouts, last(task)));
    }
    if (recorder.result(task, 'source')) continue;
    await recorder.finish({
      task: task.name,
      kind: task.kind,
      stage: 'source',
      success: sources?.state === 'ready',
      message,
      extra: {},
      startedAt,
      durationMs: effects.clock.now() - startedAt,
      attempts: 1,
      log: night.files.log(task.kind, task.name, 'source').slice(home.dir.length + 1),
    });
  }
  return (task) => found.get(task.name) ?? NO_SOURCES;
}

async function record({ recorder }: Night, task: Task, checkouts: Checkouts): Promise<TaskSources> {
  const commits = Object.fromEntries(Object.entries(checkouts).map(([name, it]) => [name, it.shortCommit]));
  const { variables, pythonPath } = sourceEnvironment(checkouts);
  if (Object.keys(recorder.commits(task.name)).length === 0)
    await recorder.record({ type: 'commits', task: task.name, commits });
  return { env: variables, pythonPath, commits };
}

/** The message of the stage for a task whose sources did not change. */
async function recordSourceState(
  { recorder, effects }: Night,
  { name, kind }: Task,
  state: ReturnType<typeof sourceState>,
): Promise<string> {
  const since = `since ${Object.values(recorder.commits(name)).join(', ')}`;
  if (state === 'skip' && !recorder.skipReason({ name, kind }))
    await recorder.record({ type: 'skip', task: name, kind, reason: `Nothing new ${since}` });
  if (state !== 'repeat') return '';
  effects.report({ type: 'step', text: `${name}: repeat, nothing new ${since}` });
  return `Repeat: nothing new ${since}`;
}

/** A resumed night measures the commits it began with, whatever arrived since. */
function asRecorded({ recorder }: Night, task: Task): Task {
  const commits = recorder.commits(task.name);
  const sources = task.sources.map((source) => {
    const ref = commits[source.name] ?? source.ref;
    return ref === undefined ? source : { ...source, ref };
  });
  return { ...task, sources };
}

/**
 * The commits of the last night in which a task succeeded; looks back a month of nights at most. With a broken index
 * nothing is known, and everything is measured.
 */
async function lastCommits({
  recorder,
  effects: { store },
  run,
}: Night): Promise<(task: Task) => Readonly<Record<string, string>> | undefined> {
  const found = new Map<string, Readonly<Record<string, string>>>();
  await recorder.index(async () => {
    const runs = await store.latestRuns({ limit: 31, kind: 'night', before: run.startedAt });
    const place = new Map(runs.map(({ id }, index) => [id, index]));
    const trials = await store.trialsOf([...place.keys()]);
    const newestFirst = [...trials].sort((a, b) => (place.get(a.runId) ?? 0) - (place.get(b.runId) ?? 0));
    for (const { kind, task, state, commits } of newestFirst) {
      const key = `${kind}/${task}`;
      if (state === 'succeeded' && !found.has(key)) found.set(key, commits);
    }
  });
  return ({ kind, name }) => found.get(`${kind}/${name}`);
}

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
 * tasks that use it and no others. Throws only when it is interrupted.
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

/** The shortest prefix of a hash that git accepts. */
const MIN_HASH_LENGTH = 4;

/**
 * Whether a task is measured with the commits of its last successful run: then it is left out where all its sources
 * allow that, and otherwise a repeat. The recorded hashes may be short ones; git makes them longer as a repository
 * grows, so the beginning decides.
 */
export function sourceState(
  task: Pick<Task, 'sources'>,
  checkouts: Readonly<Record<string, Checkout>>,
  lastCommits: Readonly<Record<string, string>> | undefined,
): 'new' | 'repeat' | 'skip' {
  if (task.sources.length === 0 || lastCommits === undefined) return 'new';
  const isSame = task.sources.every(({ name }) => {
    const last = lastCommits[name] ?? '';
    return last.length >= MIN_HASH_LENGTH && checkouts[name]?.commit.startsWith(last) === true;
  });
  if (!isSame) return 'new';
  return task.sources.every(({ skipWhenUnchanged }) => skipWhenUnchanged) ? 'skip' : 'repeat';
}
