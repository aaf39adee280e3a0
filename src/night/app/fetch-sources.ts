import { sourceEnvironment } from '../../experiment/app/source-environment.ts';
import { NO_SOURCES, type TaskSources } from '../../experiment/app/task-sources.ts';
import type { Checkout } from '../../git/core/source-control.ts';
import type { Task } from '../../home/core/home.ts';
import { newsOf } from './news-of.ts';
import type { Night } from './night.ts';
import { prepareSources } from './prepare-sources.ts';

export type SourcesOf = (task: Task) => TaskSources;
type Checkouts = Readonly<Record<string, Checkout>>;

/** Fetches and builds the sources of all active tasks, and records what each is measured with. */
export async function fetchSources(night: Night): Promise<SourcesOf> {
  const { book, effects, home, run } = night;
  const users = [...night.experiments, ...night.subsystems].filter(
    (task) =>
      task.state === 'active' && task.sources.length > 0 && book.result(task, 'source')?.success !== false,
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
      control: effects.control,
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
      message = await recordNews(night, task, newsOf(task, sources.checkouts, last(task)));
    }
    if (book.result(task, 'source')) continue;
    await book.finish({
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

async function record({ book }: Night, task: Task, checkouts: Checkouts): Promise<TaskSources> {
  const commits = Object.fromEntries(Object.entries(checkouts).map(([name, it]) => [name, it.shortCommit]));
  const { variables, pythonPath } = sourceEnvironment(checkouts);
  if (Object.keys(book.commits(task.name)).length === 0)
    await book.record({ type: 'commits', task: task.name, commits });
  return { env: variables, pythonPath, commits };
}

/** What the stage says of a task whose sources stand still. */
async function recordNews(
  { book, effects }: Night,
  { name, kind }: Task,
  news: ReturnType<typeof newsOf>,
): Promise<string> {
  const since = `since ${Object.values(book.commits(name)).join(', ')}`;
  if (news === 'skip' && !book.skipReason({ name, kind }))
    await book.record({ type: 'skip', task: name, kind, reason: `Nothing new ${since}` });
  if (news !== 'repeat') return '';
  effects.report({ type: 'step', text: `${name}: repeat, nothing new ${since}` });
  return `Repeat: nothing new ${since}`;
}

/** A resumed night measures the commits it began with, whatever arrived since. */
function asRecorded({ book }: Night, task: Task): Task {
  const commits = book.commits(task.name);
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
  book,
  effects: { store },
  run,
}: Night): Promise<(task: Task) => Readonly<Record<string, string>> | undefined> {
  const found = new Map<string, Readonly<Record<string, string>>>();
  await book.index(async () => {
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
