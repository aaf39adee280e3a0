import pc from 'picocolors';
import { countTrials } from '../../home/app/run-queries.ts';
import { describeNews } from '../../judge/cli/changes/describe-news.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { describeNight } from '../../platform/core/text/describe-night.ts';
import { formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { NightOutcome } from '../app/conclude-night.ts';
import type { NightEvent } from '../app/night-effects.ts';
import type { NightPlan, PlannedTask } from '../app/plan-night.ts';

const MAX_MESSAGE = 300;

/** An event as one line; undefined for those that another event shows better. */
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

/** The end of a night: the answer first, then what failed, then how to see more. */
export function describeOutcome(
  { run, trials, changes }: NightOutcome,
  home: string,
  { stdout }: CliContext,
): string {
  const colors = pc.createColors(stdout.hasColor);
  const counts = [countTrials(trials, 'experiment'), countTrials(trials, 'subsystem')] as const;
  const night = plainly(describeNight(...counts, (run.endedAt ?? run.startedAt) - run.startedAt));
  const lines = [`Night ${run.label}: ${night}.`];
  for (const { task, failedStage, message } of trials.filter(({ state }) => state === 'failed')) {
    lines.push(`  ${colors.red('✕')} ${visible(task)}: ${failedStage}: ${visible(firstLine(message))}`);
  }
  for (const { task, message } of trials.filter(({ state }) => state === 'skipped')) {
    lines.push(`  - ${visible(task)}: skipped: ${visible(firstLine(message))}`);
  }
  if (changes) lines.push(...describeNews(changes));
  lines.push(colors.dim(`Run ${run.id}. See more: nightmark status ${home}, nightmark serve ${home}`));
  return `${lines.join('\n')}\n`;
}

export function describePlan({ home, seed, experiments, subsystems }: NightPlan): string {
  const lines = [
    `Plan for ${home} with seed ${seed}; nothing is run.`,
    'Experiments, in the order of their runs:',
  ];
  lines.push(...describeTasks(experiments), 'Subsystems:', ...describeTasks(subsystems));
  return `${lines.join('\n')}\n`;
}

function describeTasks(tasks: readonly PlannedTask[]): readonly string[] {
  if (tasks.length === 0) return ['  (none)'];
  return tasks.flatMap(({ name, state, problem, stages, after, from, points = [] }, index) => {
    if (state === 'inactive') return [`  -  ${visible(name)}: inactive`];
    if (state === 'broken') return [`  !  ${visible(name)}: ${visible(problem ?? '')}`];
    const needs = after.length === 0 ? '' : ` after ${after.join(', ')}`;
    const line = `  ${index + 1}. ${visible(name)}: ${stages.join(', ')}${needs}  (${visible(from)})`;
    return [line, ...describePoints(points)];
  });
}

const MOST_POINTS_SHOWN = 20;

function describePoints(points: readonly string[]): readonly string[] {
  if (points.length === 0) return [];
  const more = points.length - MOST_POINTS_SHOWN;
  const rest = more > 0 ? [`       ... and ${more} more; --json has them all`] : [];
  const shown = points.slice(0, MOST_POINTS_SHOWN).map((folder) => `       ${visible(folder)}`);
  return [`     at ${points.length} ${points.length === 1 ? 'point' : 'points'}:`, ...shown, ...rest];
}

function firstLine(text: string): string {
  const line = text.split('\n')[0] ?? '';
  return line.length > 200 ? `${line.slice(0, 200)} ...` : line;
}
