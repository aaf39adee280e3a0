import type { Task } from '../../core/model/home.ts';
import { isUnchanged } from './is-unchanged.ts';
import type { Night } from './night.ts';
import { prepareSources } from './prepare-sources.ts';
import { sourceEnvironment } from './source-environment.ts';
import { NO_SOURCES, type TaskSources } from './task-sources.ts';

export type SourcesOf = (task: Task) => TaskSources;

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
  for (const task of users) {
    const sources = prepared.get(task.name);
    if (sources?.state === 'ready') {
      const commits = Object.fromEntries(
        Object.entries(sources.checkouts).map(([name, it]) => [name, it.shortCommit]),
      );
      const { variables, pythonPath } = sourceEnvironment(sources.checkouts);
      found.set(task.name, { env: variables, pythonPath, commits });
      if (Object.keys(book.commits(task.name)).length === 0)
        await book.record({ type: 'commits', task: task.name, commits });
      const last = await lastCommits(night, task);
      if (!book.skipReason(task) && isUnchanged(task, sources.checkouts, last)) {
        const reason = `Nothing new since ${Object.values(commits).join(', ')}`;
        await book.record({ type: 'skip', task: task.name, kind: task.kind, reason });
      }
    }
    if (book.result(task, 'source')) continue;
    await book.finish({
      task: task.name,
      kind: task.kind,
      stage: 'source',
      success: sources?.state === 'ready',
      message: sources?.state === 'failed' ? sources.message : '',
      extra: {},
      startedAt,
      durationMs: effects.clock.now() - startedAt,
      attempts: 1,
      log: night.files.log(task.kind, task.name, 'source').slice(home.dir.length + 1),
    });
  }
  return (task) => found.get(task.name) ?? NO_SOURCES;
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

/** The commits of the last night in which the task succeeded; looks back a month of nights at most. */
async function lastCommits({ effects, run }: Night, task: Task): Promise<Readonly<Record<string, string>>> {
  if (!task.sources.some(({ skipWhenUnchanged }) => skipWhenUnchanged)) return {};
  const { store } = effects;
  const runs = await store.latestRuns({ limit: 31, kind: 'night', before: run.startedAt });
  const trials = await store.trialsOf(runs.map(({ id }) => id));
  for (const { id } of runs) {
    const trial = trials.find((it) => it.runId === id && it.task === task.name && it.kind === task.kind);
    if (trial?.state === 'succeeded') return trial.commits;
  }
  return {};
}
