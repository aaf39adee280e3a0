import { formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { NightEvent } from '../app/events.ts';

const MAX_MESSAGE = 300;

/** An event as one line; undefined for those that are told better by another. */
export function describeEvent(event: NightEvent): string | undefined {
  switch (event.type) {
    case 'night-started': {
      const { id, label, order, seed } = event.run;
      const verb = event.isResumed ? 'Resuming' : 'Starting';
      return `${verb} night ${id} (${label}): ${order.length} experiments, seed ${seed}`;
    }
    case 'stage-started':
      return undefined;
    case 'stage-finished':
      return describeResult(event.result);
    case 'point-finished':
      return describePoint(event);
    case 'step':
      return visible(event.text);
    case 'warning':
      return `warning: ${visible(event.text)}`;
    case 'night-ended':
      return undefined;
  }
}

function describePoint({
  result,
  done,
  total,
  remainingMs,
}: Extract<NightEvent, { type: 'point-finished' }>): string {
  const { task, folder, exitCode, message, durationMs } = result;
  const how = exitCode === 0 ? 'done' : `FAILED: ${visible(message ?? '')}`;
  const left = remainingMs && done < total ? `, about ${plainly(formatDuration(remainingMs))} left` : '';
  const took = plainly(formatDuration(durationMs));
  return `${visible(task)}: point ${done} of ${total}, ${visible(folder)} ${how} (${took}${left})`;
}

function describeResult(
  result: Extract<NightEvent, { type: 'stage-finished' }>['result'],
): string | undefined {
  const { task, stage, success, message, durationMs, attempts, log } = result;
  if (stage === 'precheck' && success) return undefined;
  const took =
    stage === 'precheck'
      ? ''
      : ` (${plainly(formatDuration(durationMs))}${attempts > 1 ? `, ${attempts} attempts` : ''})`;
  const name = visible(task);
  if (success) return `${name}: ${stage} done${took}`;
  const why = visible(message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)} ...` : message);
  return `${name}: ${stage} FAILED${took}: ${why}${log === undefined ? '' : ` [${log}]`}`;
}
