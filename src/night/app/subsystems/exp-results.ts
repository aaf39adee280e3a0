import { configOf, readObject, shownText, stageStatus } from '../../../home/app/result-files.ts';
import type { Task } from '../../../home/core/home.ts';
import { success } from '../../../home/core/status.ts';
import {
  type ExperimentFailure,
  type ExperimentOutcome,
  experimentMessage,
} from '../../core/subsystems/experiment-message.ts';
import { openChannels, postedStatus } from './post-slack.ts';
import { reportImages } from './report-images.ts';
import type { BuiltInSubsystem, SubsystemWork } from './work.ts';

/** Posts how the experiments of the night ended, and their graphs below it where that is wished. */
export const reportExperiments: BuiltInSubsystem = async (work) => {
  const channels = await openChannels(work);
  if ('success' in channels) return channels;
  const outcomes: ExperimentOutcome[] = [];
  const unvisualized: string[] = [];
  for (const task of work.home.tasks) {
    if (task.kind !== 'experiment') continue;
    outcomes.push(await outcomeOf(task, work));
    const isDrawn = await isVisualized(task, work);
    if (!isDrawn) unvisualized.push(titleOf(task));
  }
  const description = shownText(work.config['description'] ?? work.task.description);
  const posted = await channels.post(experimentMessage({ description, outcomes, unvisualized }));
  const status = postedStatus(posted);
  const wantsImages = work.config['report_images'];
  if (!status.success || wantsImages === undefined || wantsImages === false) return status;
  return channels.hasToken
    ? reportImages(work, channels)
    : success('success, without images: they need slack_client_token and channel_id');
};

function titleOf({ name, title = name }: Task): string {
  return title;
}

const STAGES = ['setup', 'run', 'analysis', 'summary'];

async function outcomeOf(task: Task, work: SubsystemWork): Promise<ExperimentOutcome> {
  const precheck = await stageStatus(work, task, 'precheck');
  if (precheck?.success === false)
    return { state: 'failed', title: task.name, stage: 'precheck', message: precheck.message };
  const title = titleOf(task);
  if (task.state === 'inactive') return { state: 'inactive', title };
  if (work.skipReason(task) !== undefined) return { state: 'skipped', title };
  for (const stage of STAGES) {
    const status = await stageStatus(work, task, stage);
    if (status?.success === true || (!status && stage === 'setup')) continue;
    const message = status?.message ?? `${stage} stage status missing`;
    return { state: 'failed', title, stage, message, ...(await circumstances(task, work)) };
  }
  const summary = await readObject(work.layout.summary(task.name), 'summary.json', work.disk);
  const words = typeof summary === 'string' ? {} : summary;
  const { duration = '' } = await circumstances(task, work);
  return {
    state: 'succeeded',
    title: shownText(words['title']) || title,
    value: shownText(words['value']),
    duration,
  };
}

async function circumstances(
  task: Task,
  work: SubsystemWork,
): Promise<Pick<ExperimentFailure, 'duration' | 'notify'>> {
  const run = await stageStatus(work, task, 'run');
  const duration = run?.extra['time_delta'];
  const namesPeople = task.notify.length > 0 || Object.hasOwn(await configOf(task, work.disk), 'notify');
  return {
    ...(typeof duration === 'string' && { duration }),
    ...(namesPeople && { notify: task.notify }),
  };
}

/** What never came to its graphs failed before; commands without a visualize stage draw none. */
async function isVisualized(task: Task, work: SubsystemWork): Promise<boolean> {
  const status = await stageStatus(work, task, 'visualization');
  return status === undefined || status.success;
}
