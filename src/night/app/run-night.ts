import { orderTasks } from '../../home/core/dependencies.ts';
import type { Task } from '../../home/core/home.ts';
import type { Trial } from '../../home/core/run.ts';
import type { Status } from '../../home/core/status.ts';
import { joinPath } from '../../platform/core/path.ts';
import { pythonJson } from '../../platform/core/text/json.ts';
import { archiveRaw, backUpBefore } from './back-up-night.ts';
import { beginNight, type NightRequest } from './begin-night.ts';
import { checkTask } from './check-task.ts';
import { cleanResults } from './clean-results.ts';
import { concludeNight, type NightOutcome, tidyUp } from './conclude-night.ts';
import type { NightEffects } from './effects.ts';
import { analyzeExperiment, presentExperiment, runExperiment, setUp } from './experiment-stages.ts';
import { fetchSources, type SourcesOf } from './fetch-sources.ts';
import { judgeNight } from './judge-night.ts';
import type { Night } from './night.ts';
import { refuseBlocked } from './refuse-blocked.ts';
import { runSubsystem } from './run-subsystem.ts';
import { checkPlace } from './task-executor.ts';
import { trialOf } from './trials.ts';

/** A whole night: every experiment of a home, then its subsystems. What is finished is never done again. */
export async function runNight(request: NightRequest, effects: NightEffects): Promise<NightOutcome> {
  const { night, isResumed, letGo } = await beginNight(request, effects);
  try {
    await announce(night, isResumed);
    await backUpBefore(night);
    await cleanResults(night);
    await checkTasks(night, 'experiment');
    const sourcesOf = await fetchSources(night);
    await measure(night, sourcesOf);
    await archiveRaw(night);
    for (const task of analyzed(night)) await presentExperiment(night, task, sourcesOf(task));
    await runSubsystems(night, sourcesOf);
    return await tidyUp(night, await judgeNight(night, await concludeNight(night)));
  } catch (error) {
    const { run, book } = night;
    if (!book.hasEnded) await book.index(() => effects.store.saveRun({ ...run, state: 'interrupted' }));
    throw error;
  } finally {
    letGo();
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

async function checkTasks(night: Night, kind: Trial['kind']): Promise<void> {
  const { book, effects } = night;
  for (const task of kind === 'experiment' ? night.experiments : night.subsystems) {
    if (book.result(task, 'precheck')) continue;
    const status = await precheck(task, effects);
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

async function precheck(task: Task, effects: NightEffects): Promise<Status> {
  const status = await checkTask(task, effects.disk);
  if (!status.success || task.state !== 'active') return status;
  const place = await checkPlace(task, effects);
  return place.success ? status : place;
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

async function saveTrials({ experiments, subsystems, run, book, effects }: Night): Promise<void> {
  const trials = [...experiments, ...subsystems].map((task) => trialOf(task, run.id, book));
  await book.index(() => effects.store.saveTrials(trials));
}
