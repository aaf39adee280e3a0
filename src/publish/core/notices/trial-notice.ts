import type { Task } from '../../../home/core/home.ts';
import type { Trial } from '../../../home/core/run.ts';
import { shellQuote } from '../../../platform/core/text/shell.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { cutText } from './cut-text.ts';
import type { Notice } from './notice.ts';
import { pageLink } from './page-link.ts';

/** What the notices of one run share. */
export interface Surroundings {
  readonly home: string;
  readonly project: string;
  readonly page?: string;
  readonly runId: string;
  readonly at: number;
}

const LONGEST_MESSAGE = 600;

/** An experiment, or a subsystem, that failed. */
export function failedNotice(trial: Trial, task: Task | undefined, around: Surroundings): Notice {
  const { kind, failedStage, message } = trial;
  const said = cutText(message, LONGEST_MESSAGE);
  return {
    ...base(trial, around),
    state: 'failed',
    severity: 'warning',
    title: `${kind === 'experiment' ? 'Experiment' : 'Subsystem'} failed: ${visible(trial.task)}`,
    text: `Failed at stage ${failedStage ?? 'run'}${said === '' ? '.' : `:\n${visibleLines(said)}`}`,
    facts: [
      {
        name: 'Run it again',
        value: `nightmark run ${shellQuote(visible(around.home))} --only ${shellQuote(visible(trial.task))}`,
      },
    ],
    mentions: task?.notify ?? [],
  };
}

/** It failed before, and does no more. */
export function recoveredNotice(trial: Trial, around: Surroundings): Notice {
  return {
    ...base(trial, around),
    state: 'recovered',
    severity: 'info',
    title: `${trial.kind === 'experiment' ? 'Experiment' : 'Subsystem'} works again: ${visible(trial.task)}`,
    text: 'It failed in an earlier night and succeeded in this one.',
    facts: [],
    mentions: [],
  };
}

function base({ task, kind }: Trial, { at, project, runId, page }: Surroundings) {
  return {
    topic: `failed:${kind}:${task}`,
    event: 'failed',
    at,
    project,
    runId,
    experiment: task,
    ...pageLink(page, 'runs', runId),
    charts: [],
    strength: kind === 'experiment' ? 2 : 1,
  } as const;
}

function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
