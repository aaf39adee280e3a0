import { hasSucceeded, readObject, shownText, stageStatus } from '../../../home/app/result-files.ts';
import type { Task } from '../../../home/core/home.ts';
import { failure, type Status, success } from '../../../home/core/status.ts';
import { readDeadlines } from '../../../home/core/subsystem-config.ts';
import { withRetries } from '../../../publish/app/notify/deliver.ts';
import type {
  NoticePicture,
  Sent,
  SlackMessage,
  SlackTransport,
} from '../../../publish/core/notices/notifier.ts';
import {
  deadlineMessage,
  readSlackConfig,
  type SubsystemOutcome,
  subsystemMessage,
} from '../../core/subsystems/slack-messages.ts';
import type { BuiltInSubsystem, SubsystemWork } from './subsystem-work.ts';

/** Posts how much time is left. */
export const reportDeadlines: BuiltInSubsystem = async (work) => {
  const channels = await openChannels(work);
  if ('success' in channels) return channels;
  const { deadlines, problem } = readDeadlines(work.config, work.clock);
  if (problem !== undefined) return failure(problem);
  if (deadlines.length === 0) return success('No deadlines to report');
  const message = deadlineMessage(deadlines, work.clock.now());
  if (!message) return success('All deadlines elapsed');
  return postedStatus(await channels.post(message));
};

/** Posts the reports of the other subsystems, and which of them failed. */
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

/** One that did not run this night has no report: a file in its folder is an old one. */
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

/** The channels of a subsystem, ready to post to. */
export interface SlackChannels {
  readonly hasToken: boolean;
  /** Posts to all of them; one that refuses does not keep it from the others. */
  post(message: SlackMessage): Promise<Posted>;
  upload(receipt: string, picture: NoticePicture): Promise<Sent>;
}

export interface Posted {
  /** Of the messages that arrived, to answer below them. */
  readonly receipts: readonly string[];
  readonly problems: readonly string[];
}

const REQUEST_TIMEOUT_MS = 15_000;
/** All messages and pictures of one subsystem together: a night must not wait for Slack for ever. */
const LONGEST_MS = 600_000;
const TRIES = 3;

/** Opens the channels that the configuration names; a failed status where it lacks something. */
export async function openChannels(work: SubsystemWork): Promise<SlackChannels | Status> {
  const slack = readSlackConfig(work.config, work.env);
  if (slack.type === 'missing') return failure(slack.message);
  const { tools, env } = work;
  const url = env['SLACK_API_URL'];
  const common = { timeoutMs: REQUEST_TIMEOUT_MS, ...(url !== undefined && { url }) };
  const channels: { readonly name: string; readonly transport: SlackTransport }[] = [];
  if (slack.type === 'webhook') {
    const transport = await tools.openSlack({ ...common, secrets: { webhook: slack.url } });
    channels.push({ name: 'the webhook', transport });
  } else {
    for (const channel of slack.channels) {
      const transport = await tools.openSlack({ ...common, channel, secrets: { token: slack.token } });
      channels.push({ name: channel, transport });
    }
  }
  const retried = retriesOf(work);
  return {
    hasToken: slack.type === 'token',
    async post(message) {
      const receipts: string[] = [];
      const problems: string[] = [];
      // The field that messages of the webhook era have.
      const whole = slack.type === 'webhook' ? { ...message, more: { pretext: '' } } : message;
      for (const { name, transport } of channels) {
        const sent = await retried(() => transport.post(whole, work.signal));
        if (sent.state !== 'sent') problems.push(`${name}: ${sent.message}`);
        else if (sent.receipt !== undefined) receipts.push(sent.receipt);
      }
      return { receipts, problems };
    },
    async upload(receipt, picture) {
      const transport = channels[0]?.transport;
      if (!transport) return { state: 'blocked', message: 'There is no channel.' };
      return retried(() => transport.upload(receipt, picture, work.signal));
    },
  };
}

/** The status after posting. */
export function postedStatus({ problems }: Posted): Status {
  return problems.length === 0
    ? { success: true, message: 'success', extra: {} }
    : failure(`The message did not arrive: ${problems.join('; ')}`);
}

function retriesOf({
  clock,
  signal,
  randomSeed,
}: SubsystemWork): (attempt: () => Promise<Sent>) => Promise<Sent> {
  const rules = {
    tries: TRIES,
    deadline: clock.now() + LONGEST_MS,
    clock,
    signal,
    random: () => randomSeed() / 2 ** 32,
  };
  return (attempt) => withRetries(attempt, rules);
}
