import { hasSucceeded, readObject, shownText, stageStatus } from '../../../home/app/result-files.ts';
import type { Task } from '../../../home/core/home.ts';
import { success } from '../../../home/core/status.ts';
import { type SubsystemOutcome, subsystemMessage } from '../../core/subsystems/subsystem-message.ts';
import { openChannels, postedStatus } from './post-slack.ts';
import type { BuiltInSubsystem, SubsystemWork } from './work.ts';

/** Posts what the other subsystems have to say, and which of them failed. */
export const reportSubsystems: BuiltInSubsystem = async (work) => {
  const channels = await openChannels(work);
  if ('success' in channels) return channels;
  const outcomes: SubsystemOutcome[] = [];
  for (const task of work.home.tasks) {
    if (task.kind !== 'subsystem' || task.name === work.task.name || task.state !== 'active') continue;
    const outcome = await outcomeOf(task, work);
    if (outcome) outcomes.push(outcome);
  }
  const message = subsystemMessage(outcomes);
  return message ? postedStatus(await channels.post(message)) : success('Nothing to report');
};

/** One that did not run this night says nothing: a report in its folder is an old one. */
async function outcomeOf(task: Task, work: SubsystemWork): Promise<SubsystemOutcome | undefined> {
  const { name } = task;
  const run = await stageStatus(work, task, 'run');
  if (!run || !(await hasSucceeded(work, task, 'precheck'))) return undefined;
  if (!run.success) return { state: 'failed', name, message: run.message };
  const report = await readObject(work.layout.output(name), 'report.json', work.disk);
  if (report === 'missing') return undefined;
  if (report === 'broken' || !('title' in report && 'value' in report)) return { state: 'malformed', name };
  return { state: 'reported', title: shownText(report['title']), value: shownText(report['value']) };
}
