import { failure, success } from '../../../home/core/status.ts';
import { readDeadlines } from '../../../home/core/subsystem-config.ts';
import { deadlineMessage } from '../../core/subsystems/deadline-message.ts';
import { openChannels, postedStatus } from './post-slack.ts';
import type { BuiltInSubsystem } from './work.ts';

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
