import { formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/visible.ts';
import { type DuetRunEvent, runLabel } from '../app/run-effects.ts';
import type { PlannedRun } from '../core/duet.ts';

/** One line of the log, with the levels of the original: information, warning, error. */
export interface LogLine {
  readonly logger: string;
  readonly level: 'I' | 'W' | 'E';
  readonly text: string;
}

/** An event as lines of the log; readers of the original's log look for these words. */
export function describeRunEvent(event: DuetRunEvent): readonly LogLine[] {
  if (event.type === 'refused') {
    return [{ logger: 'duet', level: 'E', text: `Config error: ${event.file}: ${event.reason}` }];
  }
  const { name: logger } = event;
  const info = (...texts: readonly string[]) =>
    texts.map((text): LogLine => ({ logger, level: 'I', text: visible(text) }));
  switch (event.type) {
    case 'file-started':
      return info(...describeStart(event));
    case 'artifacts':
      return info('Gather artifacts');
    case 'run-started': {
      const { index, total, leftMs } = event;
      const left = leftMs === undefined ? '' : `, about ${plainly(formatDuration(leftMs))} left`;
      return info(`PROGRESS ${index}/${total}${left}`);
    }
    case 'step':
      return info(`${runLabel(event.run)} ${event.step}`);
    case 'output':
      return info(...event.text.split('\n').map((line) => `>    ${event.side}: ${line}`));
    case 'run-problem': {
      const { kind, text } = event.problem;
      const level = kind === 'TIMEOUT' || kind === 'CLEANUP' ? 'W' : 'E';
      return [{ logger, level, text: visible(`${kind}: ${runLabel(event.run)}: ${text}`) }];
    }
    case 'note':
      return info(event.text);
    case 'warning':
      return [{ logger, level: 'W', text: visible(event.text) }];
    case 'run-ended':
      return [];
  }
}

/** A run with what the plan has drawn for it: "duet.fop.0 AB", "seqn.fop.0 A". */
export function describePlanned(run: PlannedRun): string {
  return `${runLabel(run)} ${run.type === 'seqn' ? run.pair : run.order}`;
}

function describeStart(event: Extract<DuetRunEvent, { type: 'file-started' }>): readonly string[] {
  const { path, seed, engine, filter, excluded, plan, done } = event;
  return [
    `START DUET ${path}`,
    `Seed: ${seed}`,
    ...(engine === undefined ? [] : [`Docker command: ${engine}`]),
    ...(excluded === 0 ? [] : [`Excluded ${excluded} benchmarks not matching filter [${filter.join(', ')}]`]),
    `PLAN: [${plan.map(describePlanned).join(', ')}]`,
    ...(done === 0 ? [] : [`${done} of ${plan.length} runs were done before`]),
  ];
}
