import { NightmarkError } from '../../core/errors.ts';
import { backupName } from '../../core/model/archive-names.ts';
import type { Task } from '../../core/model/home.ts';
import type { Run, Trial } from '../../core/model/run.ts';
import { joinPath } from '../../core/path.ts';
import { orderTasks } from '../../core/plan/dependencies.ts';
import { pythonJson } from '../../core/text/json.ts';
import { applyRetention } from '../apply-retention.ts';
import { backupHome } from '../backup-home.ts';
import { packRaw } from './archive-raw.ts';
import { beginNight, type NightRequest } from './begin-night.ts';
import { checkTask } from './check-task.ts';
import { cleanResults } from './clean-results.ts';
import type { NightEffects } from './effects.ts';
import { analyzeExperiment, presentExperiment, runExperiment, setUp } from './experiment-stages.ts';
import { fetchSources, type SourcesOf } from './fetch-sources.ts';
import type { Night } from './night.ts';
import { refuseBlocked } from './refuse-blocked.ts';
import { runSubsystem } from './run-subsystem.ts';
import { saveEnd } from './save-end.ts';
import { trialOf } from './trials.ts';

export interface NightOutcome {
  readonly run: Run;
  readonly trials: readonly Trial[];
}

/** A whole night: every experiment of a home, then its subsystems. What is finished is never done again. */
export async function runNight(request: NightRequest, effects: NightEffects): Promise<NightOutcome> {
  const { night, isResumed, end } = await beginNight(request, effects);
  try {
    await announce(night, isResumed);
    if (night.home.backups.before) await backUp(night, 'before');
    await cleanResults(night);
    await checkTasks(night, 'experiment');
    const sourcesOf = await fetchSources(night);
    await measure(night, sourcesOf);
    await archive(night);
    for (const task of analyzed(night)) await presentExperiment(night, task, sourcesOf(task));
    await runSubsystems(night, sourcesOf);
    if (night.home.backups.after) await backUp(night, 'after');
    return await conclude(night);
  } catch (error) {
    await night.book.index(() => effects.store.saveRun({ ...night.run, state: 'interrupted' }));
    throw error;
  } finally {
    end();
  }
}

async function announce(night: Night, isResumed: boolean): Promise<void> {
  const { effects, run, experiments, subsystems } = night;
  const stages = [...experiments, ...subsystems].reduce((sum, task) => sum + stageCount(task), 0);
  effects.report({ type: 'night-started', run, isResumed, stages });
  await effects.disk.makeDir(night.raw.dir);
  await effects.disk.makeDir(night.home.folders.setup);
  for (const { config, configDir } of night.home.tasks) {
    if (config) await effects.disk.writeText(joinPath(configDir, 'config.json'), pythonJson(config));
  }
  await night.book.index(() => effects.store.saveRun(run));
  // Left by a schedule that could not pull the experiments before this night.
  const pullWarning = effects.env['NIGHTMARK_PULL_WARNING'];
  if (pullWarning !== undefined) night.book.warn(pullWarning);
  await saveTrials(night);
}

/** How many stages of a task are shown as progress; a setup may come on top. */
function stageCount({ state, kind, implementation }: Task): number {
  if (state !== 'active') return 0;
  if (kind === 'subsystem') return 1;
  // Nightmark does analysis and summary of inline experiments itself.
  return implementation.type === 'commands' && implementation.commands.visualize === undefined ? 3 : 4;
}

/** A backup that fails is told and tried again tomorrow; it is no reason not to measure. */
async function backUp(night: Night, when: 'before' | 'after'): Promise<void> {
  const step = `backup-${when}` as const;
  const name = backupName(night.run.label, when);
  if (night.book.isDone(step)) return;
  const { home, effects, book } = night;
  const { tmp, backup, setup } = home.folders;
  effects.report({ type: 'step', text: `Backing up to ${joinPath(backup, name)}` });
  await unlessItFails(night, 'The backup failed', async () => {
    await effects.disk.makeDir(backup);
    const request = {
      home: home.dir,
      file: joinPath(backup, name),
      alsoLeftOut: [tmp, backup, setup],
      signal: effects.signal,
    };
    const { notes } = await backupHome(request, effects);
    for (const note of notes) book.warn(`Backup: ${note}`);
    await book.record({ type: 'step', step });
  });
}

async function unlessItFails(night: Night, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof NightmarkError) || night.effects.signal.aborted) throw error;
    night.book.warn(`${what}: ${error.message}`);
  }
}

async function checkTasks(night: Night, kind: Trial['kind']): Promise<void> {
  const { book, effects } = night;
  for (const task of kind === 'experiment' ? night.experiments : night.subsystems) {
    if (book.result(task, 'precheck')) continue;
    const status = await checkTask(task, effects.disk);
    const startedAt = effects.clock.now();
    await book.finish({
      ...status,
      task: task.name,
      kind,
      stage: 'precheck',
      startedAt,
      durationMs: 0,
      attempts: 1,
    });
  }
}

/** Setup of all, the runs one at a time in the drawn order, then the analyses in found order. */
async function measure(night: Night, sourcesOf: SourcesOf): Promise<void> {
  const { book } = night;
  const isReady = (task: Night['experiments'][number]) =>
    task.state === 'active' &&
    book.hasSucceeded(task, 'precheck') &&
    book.result(task, 'source')?.success !== false &&
    book.skipReason(task) === undefined;
  for (const task of night.experiments.filter(isReady)) await setUp(night, task, sourcesOf(task));

  const byName = new Map(night.experiments.map((task) => [task.name, task]));
  for (const name of night.run.order) {
    const task = byName.get(name);
    if (!task || !isReady(task) || book.result(task, 'setup')?.success === false) continue;
    if (!(await refuseBlocked(night, task))) await runExperiment(night, task, sourcesOf(task));
  }
  for (const task of night.experiments) {
    if (book.hasSucceeded(task, 'run')) await analyzeExperiment(night, task, sourcesOf(task));
  }
}

async function archive(night: Night): Promise<void> {
  const { book, raw, effects } = night;
  if (!book.isDone('archive')) {
    await unlessItFails(night, `The raw data stay in ${raw.dir}, they could not be archived`, async () => {
      await packRaw(raw, effects);
      await book.record({ type: 'step', step: 'archive' });
    });
  }
}

function analyzed(night: Night): Night['experiments'] {
  return night.experiments.filter((task) => night.book.hasSucceeded(task, 'analyze'));
}

async function runSubsystems(night: Night, sourcesOf: SourcesOf): Promise<void> {
  await checkTasks(night, 'subsystem');
  for (const task of orderTasks(night.subsystems, { order: 'priority', seed: 0 })) {
    if (task.state !== 'active' || !night.book.hasSucceeded(task, 'precheck')) continue;
    if (night.book.result(task, 'source')?.success === false) continue;
    if (!(await refuseBlocked(night, task))) await runSubsystem(night, task, sourcesOf(task));
  }
}

async function conclude(night: Night): Promise<NightOutcome> {
  const { book, effects, layout } = night;
  if (book.isDone('archive')) await effects.disk.remove(night.raw.dir);
  await effects.disk.remove(layout.trash);
  for (const path of await applyRetention(night.home, effects))
    effects.report({ type: 'step', text: `Removed ${path}` });
  const run: Run = { ...night.run, state: 'finished', endedAt: effects.clock.now(), warnings: book.warnings };
  const trials = [...night.experiments, ...night.subsystems].map((task) => trialOf(task, run.id, book));
  await book.record({ type: 'end', run, trials });
  await book.index(() => saveEnd(run, trials, effects.store));
  await effects.disk.remove(layout.current);
  const leftovers = await effects.executor.endLeftovers(run.id);
  if (leftovers > 0) book.warn(`Ended ${leftovers} processes that scripts left behind.`);
  effects.report({ type: 'night-ended', run, trials });
  return { run, trials };
}

async function saveTrials({ experiments, subsystems, run, book, effects }: Night): Promise<void> {
  const trials = [...experiments, ...subsystems].map((task) => trialOf(task, run.id, book));
  await book.index(() => effects.store.saveTrials(trials));
}
