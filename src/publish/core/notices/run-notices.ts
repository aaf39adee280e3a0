import { type Absentee, seriesKey } from '../../../home/core/changes/change.ts';
import type { Absence } from '../../../home/core/changes/change-ledger.ts';
import type { Task } from '../../../home/core/home.ts';
import type { Trial } from '../../../home/core/run.ts';
import { absenceText, absenteeText } from '../../../judge/core/changes/change-text.ts';
import { textHash } from '../../../platform/core/text/change-hash.ts';
import { shellQuote } from '../../../platform/core/text/shell.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { cutText, type Notice, pageLink } from './notice.ts';

export interface NightSummary {
  readonly label: string;
  /** How it went, in a line. */
  readonly summary: string;
  readonly warnings: readonly string[];
}

const MOST_WARNINGS = 10;

/** A night that ended, with its warnings. */
export function nightFinished({ label, summary, warnings }: NightSummary, around: Surroundings): Notice {
  const more = warnings.length - MOST_WARNINGS;
  const lines = warnings.slice(0, MOST_WARNINGS).map((it) => `warning: ${visible(it)}`);
  if (more > 0) lines.push(`and ${more} more.`);
  return {
    ...nightBase(around),
    event: 'night-finished',
    state: 'finished',
    severity: 'info',
    title: `Night ${visible(label)}: ${summary}`,
    text: lines.join('\n'),
  };
}

/** A night that broke off, or in which nothing succeeded. */
export function nightBroken(label: string, why: string, around: Surroundings): Notice {
  return {
    ...nightBase(around),
    event: 'night-broken',
    state: 'broken',
    severity: 'critical',
    title: `Night ${visible(label)} is broken`,
    text: why.split('\n').map(visible).join('\n'),
  };
}

function nightBase({ runId, at, project, page }: Surroundings) {
  return {
    topic: `night:${runId}`,
    at,
    project,
    runId,
    facts: [],
    ...pageLink(page, 'runs', runId),
    mentions: [],
    charts: [],
    strength: 1000,
  } as const;
}

/** What all notices of one run share. */
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
  const excerpt = cutText(message, LONGEST_MESSAGE);
  return {
    ...trialBase(trial, around),
    state: 'failed',
    severity: 'warning',
    title: `${kind === 'experiment' ? 'Experiment' : 'Subsystem'} failed: ${visible(trial.task)}`,
    text: `Failed at stage ${failedStage ?? 'run'}${excerpt === '' ? '.' : `:\n${visibleLines(excerpt)}`}`,
    facts: [
      {
        name: 'Run it again',
        value: `nightmark run ${shellQuote(visible(around.home))} --only ${shellQuote(visible(trial.task))}`,
      },
    ],
    mentions: task?.notify ?? [],
  };
}

/** A task that failed before and succeeded now. */
export function recoveredNotice(trial: Trial, around: Surroundings): Notice {
  return {
    ...trialBase(trial, around),
    state: 'recovered',
    severity: 'info',
    title: `${trial.kind === 'experiment' ? 'Experiment' : 'Subsystem'} works again: ${visible(trial.task)}`,
    text: 'It failed in an earlier night and succeeded in this one.',
    facts: [],
    mentions: [],
  };
}

function trialBase({ task, kind }: Trial, { at, project, runId, page }: Surroundings) {
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

/** A series has no new values. */
export function missingNotice(absence: Absence, around: Surroundings): Notice {
  return {
    ...absenceBase(absence.series, around),
    state: 'missing',
    severity: 'warning',
    title: `No data: ${absenceText(absence)}`,
    text: 'It came in every night before. Was it renamed, switched off, or does it fail silently?',
    strength: absence.count ?? 1,
  };
}

/** A missing series has values again. */
export function returnedNotice(absentee: Absentee, around: Surroundings): Notice {
  return {
    ...absenceBase(absentee, around),
    state: 'returned',
    severity: 'info',
    title: `Data is back: ${absenteeText(absentee)}`,
    text: 'Values arrive again.',
    strength: 1,
  };
}

function absenceBase(series: Absentee, { at, project, runId, page }: Surroundings) {
  const experiment =
    series.kind === 'value' || series.kind === 'experiment'
      ? series.experiment
      : series.kind === 'kpi'
        ? series.name
        : undefined;
  const hasPage = series.kind === 'value' || series.kind === 'experiment';
  return {
    topic: `missing:${textHash(seriesKey(series))}`,
    event: 'missing',
    at,
    project,
    runId,
    ...(experiment !== undefined && { experiment }),
    facts: [],
    ...(hasPage ? pageLink(page, 'experiments', series.experiment) : pageLink(page, 'changes')),
    mentions: [],
    charts: [],
  } as const;
}

const LONGEST_FAILURE = 600;

/** The pages of a home were not published to a target. */
export function publicationFailed(target: string, why: string, around: Surroundings): Notice {
  return {
    ...publicationBase(target, around),
    state: 'failed',
    severity: 'warning',
    title: `The pages were not published: ${visible(target)}`,
    text: `${cutText(why, LONGEST_FAILURE).split('\n').map(visible).join('\n')}\nThe earlier site is in place. It is tried again after the next night, or by "nightmark publish".`,
  };
}

/** They are published again. */
export function publicationRecovered(target: string, around: Surroundings): Notice {
  return {
    ...publicationBase(target, around),
    state: 'recovered',
    severity: 'info',
    title: `The pages are published again: ${visible(target)}`,
    text: 'Everything since the last publication is there.',
  };
}

function publicationBase(target: string, { at, project, runId, page }: Surroundings) {
  return {
    topic: `publication:${target}`,
    event: 'publication',
    at,
    project,
    runId,
    ...(page !== undefined && { link: page }),
    facts: [],
    mentions: [],
    charts: [],
    strength: 3,
  } as const;
}

/** The test of a route, requested by a user. */
export function rehearsalNotice(route: string, project: string, at: number): Notice {
  return {
    topic: `rehearsal:${at}`,
    event: 'rehearsal',
    state: 'rehearsal',
    severity: 'info',
    at,
    project,
    title: `This is a test of the route "${route}"`,
    text: 'Notices of nights are sent this way. Nothing has happened.',
    facts: [],
    mentions: [],
    charts: [],
    strength: 0,
  };
}
