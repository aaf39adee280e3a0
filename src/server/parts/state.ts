import type { Run, StageResult, Trial } from '../../core/model/run.ts';
import { type Html, html, segment } from '../../core/text/html.ts';

const WORDS = {
  succeeded: ['✓', 'succeeded'],
  failed: ['✕', 'failed'],
  inactive: ['–', 'inactive'],
  skipped: ['»', 'skipped'],
  running: ['…', 'running'],
  waiting: ['·', 'waiting'],
  missing: ['?', 'not run'],
  finished: ['✓', 'finished'],
  interrupted: ['!', 'interrupted'],
} as const;

type State = Trial['state'] | Run['state'] | 'missing';

/** A sign and a word; the colour only repeats them. */
export function stateOf(state: State): Html {
  const [sign, word] = WORDS[state];
  return html`<span class="state ${state}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

/** How a process ended, in words; empty for an ordinary end. */
export function exitOf({ exit }: Pick<StageResult, 'exit'>): string {
  switch (exit?.type) {
    case 'code':
      return exit.code === 0 ? '' : `exit ${exit.code}`;
    case 'signal':
      return `ended by ${exit.signal}`;
    case 'timeout':
      return `ended after its time of ${exit.afterMs / 1000} s`;
    case 'cancelled':
      return 'cancelled';
    case 'not-started':
      return `could not be started: ${exit.reason}`;
    default:
      return '';
  }
}

/** Messages can be whole tracebacks: a table gets the beginning, the run's page everything. */
export function shortened(text: string, length = 240): string {
  return text.length <= length ? text : `${text.slice(0, length)} …`;
}

export function logAddress(runId: string, { kind, task, stage }: LogKey): string {
  return `/runs/${segment(runId)}/logs/${kind}/${segment(task)}/${segment(stage)}`;
}

interface LogKey {
  readonly kind: Trial['kind'];
  readonly task: string;
  readonly stage: string;
}
