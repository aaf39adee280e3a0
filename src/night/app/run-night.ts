import { NECESSARY_SCRIPTS, type Task } from '../../home/core/home.ts';
import type { Trial } from '../../home/core/run.ts';
import { failure, type Status, success } from '../../home/core/status.ts';
import { orderTasks } from '../../home/core/task-order.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { pythonJson } from '../../platform/core/text/json.ts';
import { archiveRaw, backUpBefore } from './archive-night.ts';
import { beginNight, type NightRequest } from './begin-night.ts';
import { cleanResults } from './clean-results.ts';
import { concludeNight, type NightOutcome, tidyUp } from './conclude-night.ts';
import { analyzeExperiment, presentExperiment, runExperiment, setUp } from './experiment-stages.ts';
import { fetchSources, type SourcesOf } from './fetch-sources.ts';
import { judgeNight } from './judge-night.ts';
import type { Night } from './night.ts';
import type { NightEffects } from './night-effects.ts';
import { trialOf } from './night-recorder.ts';
import { failStage } from './run-stage.ts';
import { runSubsystem } from './run-subsystem.ts';
import { checkPlace } from './task-executor.ts';

/** A whole night: every experiment of a home, then its subsystems. What is finished is never done again. */
export async function runNight(request: NightRequest, effects: NightEffects): Promise<NightOutcome> {
  const { night, isResumed, release } = await beginNight(request, effects);
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
    const { run, recorder } = night;
    if (!recorder.hasEnded)
      await recorder.index(() => effects.store.saveRun({ ...run, state: 'interrupted' }));
    throw error;
  } finally {
    release();
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
  await night.recorder.index(() => effects.store.saveRun(run));
  // Left by a schedule that could not pull the experiments before this night.
  const pullWarning = effects.env['NIGHTMARK_PULL_WARNING'];
  if (pullWarning !== undefined) night.recorder.warn(pullWarning);
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
  const { recorder, effects } = night;
  for (const task of kind === 'experiment' ? night.experiments : night.subsystems) {
    if (recorder.result(task, 'precheck')) continue;
    const status = await precheck(task, effects);
    const startedAt = effects.clock.now();
    await recorder.finish({
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
  const { recorder } = night;
  const isReady = (task: Night['experiments'][number]) =>
    task.state === 'active' &&
    recorder.hasSucceeded(task, 'precheck') &&
    recorder.result(task, 'source')?.success !== false &&
    recorder.skipReason(task) === undefined;
  for (const task of night.experiments.filter(isReady)) await setUp(night, task, sourcesOf(task));

  const byName = new Map(night.experiments.map((task) => [task.name, task]));
  for (const name of night.run.order) {
    const task = byName.get(name);
    if (!task || !isReady(task) || recorder.result(task, 'setup')?.success === false) continue;
    if (!(await refuseBlocked(night, task))) await runExperiment(night, task, sourcesOf(task));
  }
  for (const task of night.experiments) {
    if (recorder.hasSucceeded(task, 'run')) await analyzeExperiment(night, task, sourcesOf(task));
  }
}

function analyzed(night: Night): Night['experiments'] {
  return night.experiments.filter((task) => night.recorder.hasSucceeded(task, 'analyze'));
}

async function runSubsystems(night: Night, sourcesOf: SourcesOf): Promise<void> {
  await checkTasks(night, 'subsystem');
  for (const task of orderTasks(night.subsystems, { order: 'priority', seed: 0 })) {
    if (task.state !== 'active' || !night.recorder.hasSucceeded(task, 'precheck')) continue;
    if (night.recorder.result(task, 'source')?.success === false) continue;
    if (!(await refuseBlocked(night, task))) await runSubsystem(night, task, sourcesOf(task));
  }
}

async function saveTrials({ experiments, subsystems, run, recorder, effects }: Night): Promise<void> {
  const trials = [...experiments, ...subsystems].map((task) => trialOf(task, run.id, recorder));
  await recorder.index(() => effects.store.saveTrials(trials));
}

/** The precheck of a task, with the messages of the original dashboard. */
async function checkTask(task: Task, disk: Disk): Promise<Status> {
  try {
    return await check(task, disk);
  } catch (error) {
    // A folder that cannot be read fails this task only.
    if (!(error instanceof NightmarkError)) throw error;
    return failure(error.message);
  }
}

async function check(task: Task, disk: Disk): Promise<Status> {
  if (task.state === 'broken') return failure(task.problem ?? `${task.name} is broken`);
  if (task.state === 'inactive') return success('Inactive');
  const { implementation, name } = task;
  if (implementation.type !== 'scripts') return success();
  const { dir } = implementation;
  if (dir === undefined) return failure(`Script subdirectory for ${name} missing`);

  const missing: string[] = [];
  for (const script of NECESSARY_SCRIPTS[task.kind]) {
    if (!(await disk.isExecutable(joinPath(dir, script)))) missing.push(script);
  }
  if (missing.length === 0) return success();
  return failure(`Necessary files are missing from ${dir} or not executable: ${missing.join(', ')}`);
}

/** Fails a task whose dependencies did not succeed; true when it did so (now or before an interruption). */
async function refuseBlocked(night: Night, task: Task): Promise<boolean> {
  if (task.after.length === 0) return false;
  const all = [...night.experiments, ...night.subsystems];
  for (const name of task.after) {
    const needed = all.find((other) => other.name === name);
    // Not part of this night (--only): its earlier results have to do.
    if (!needed) continue;
    const { state, failedStage } = trialOf(needed, night.run.id, night.recorder);
    if (state !== 'failed' && state !== 'inactive') continue;
    const how = state === 'failed' ? `failed at stage ${failedStage}` : 'is inactive';
    if (!night.recorder.result(task, 'run'))
      await failStage(night, task, 'run', `Needs ${name}, which ${how}`);
    return true;
  }
  return false;
}
