import { seriesText } from '../../../home/core/changes/change.ts';
import { type FollowedChange, isRegression } from '../../../home/core/changes/change-ledger.ts';
import type { NoticeEvent, Severity } from '../../../home/core/home.ts';
import { groupKey } from '../../../judge/core/changes/change-groups.ts';
import {
  certaintyText,
  commitsText,
  groupTitle,
  levelsText,
  movedText,
  sizeText,
} from '../../../judge/core/changes/change-text.ts';
import { shellQuote } from '../../../platform/core/text/shell.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { type Notice, type NoticeFact, type NoticeState, pageLink } from './notice.ts';

export interface ChangeSurroundings {
  readonly home: string;
  readonly project: string;
  readonly page?: string;
  readonly runId: string;
  readonly at: number;
  readonly mentions: readonly string[];
}

/** The notice of a change in its present state. */
export function changeNotice(change: FollowedChange, around: ChangeSurroundings): Notice {
  const { id, series, sources = [] } = change;
  const event = eventOf(change);
  const state = stateOf(change);
  const experiment =
    series.kind === 'value' ? series.experiment : series.kind === 'kpi' ? series.name : undefined;
  const effect = sizeText(change);
  const name = visible(seriesText(series));
  return {
    topic: `change:${id}`,
    event,
    state,
    severity: severityOf(event, state),
    at: around.at,
    project: around.project,
    runId: around.runId,
    ...(experiment !== undefined && { experiment }),
    title: `${NAMES[event]} ${state}: ${name} ${effect}`,
    text: sentence(change, state),
    facts: factsOf(change, around),
    ...(series.kind === 'value'
      ? pageLink(around.page, 'experiments', series.experiment)
      : pageLink(around.page, 'changes')),
    mentions: event === 'regression' && state === 'confirmed' ? around.mentions : [],
    charts: series.kind === 'machine' ? [] : [id],
    strength: strengthOf(change),
    ...(sources.length > 0 && { cause: { key: groupKey(change), title: groupTitle(change) } }),
  };
}

const NAMES: Readonly<Record<ReturnType<typeof eventOf>, string>> = {
  regression: 'Regression',
  improvement: 'Improvement',
  change: 'Change',
  machine: 'Machine event',
};

function eventOf(
  change: FollowedChange,
): Extract<NoticeEvent, 'regression' | 'improvement' | 'change' | 'machine'> {
  if (change.series.kind === 'machine') return 'machine';
  if (isRegression(change)) return 'regression';
  return change.direction === 'better' ? 'improvement' : 'change';
}

function stateOf({ state, withdrawnAt, isProvisional, duet }: FollowedChange): NoticeState {
  if (withdrawnAt !== undefined) return 'withdrawn';
  if (state === 'expected' || state === 'fixed' || state === 'false') return state;
  return state === 'confirmed' || !isProvisional || duet?.state === 'confirmed' ? 'confirmed' : 'found';
}

function severityOf(event: NoticeEvent, state: NoticeState): Severity {
  if (state !== 'found' && state !== 'confirmed') return 'info';
  if (event === 'machine') return 'warning';
  if (event !== 'regression') return 'info';
  return state === 'confirmed' ? 'critical' : 'warning';
}

function sentence(change: FollowedChange, state: NoticeState): string {
  const { note, author, shift, p, moved } = change;
  const by = author === undefined ? 'Somebody' : visible(author);
  const reason = note === undefined ? '' : `: ${visible(note)}`;
  switch (state) {
    case 'withdrawn':
      return 'With more values it is not seen any more.';
    case 'expected':
      return `${by} says that it was intended${reason}.`;
    case 'fixed':
      return `${by} says that it is fixed${reason}.`;
    case 'false':
      return `${by} says that it is a false alarm${reason}.`;
    case 'found':
      return `Seen in few values so far, ${certaintyText(p)} certain; more values or a duet will decide${movedText(moved)}.`;
    default:
      return `It holds (interval at ${Math.round(shift.level * 100)} %, ${certaintyText(p)} certain)${movedText(moved)}.`;
  }
}

function factsOf(change: FollowedChange, { home }: ChangeSurroundings): readonly NoticeFact[] {
  const { id, series, sources = [], explanation, duet, state, withdrawnAt } = change;
  const facts: NoticeFact[] = [{ name: 'Level', value: levelsText(change) }];
  if (sources.length > 0) facts.push({ name: 'Commits', value: commitsText(sources) });
  for (const { link, commits } of sources) {
    const page = link ?? commits[0]?.link;
    if (page !== undefined) facts.push({ name: 'Compare', value: visible(page) });
  }
  if (explanation) facts.push({ name: 'What else changed', value: visible(explanation) });
  if (duet) facts.push({ name: 'Duet', value: duetText(duet) });
  const isWaiting = withdrawnAt === undefined && (state === 'new' || state === 'confirmed');
  const verb = isWaiting && series.kind === 'value' && sources.length > 0 ? 'confirm' : 'show';
  const name = verb === 'confirm' ? 'Measure again' : 'See more';
  facts.push({ name, value: `nightmark changes ${verb} ${id} --home ${shellQuote(visible(home))}` });
  return facts;
}

function duetText({ state, pairs, before, after, effect }: NonNullable<FollowedChange['duet']>): string {
  const ratio = effect
    ? `, ${effect.ratio.toFixed(3)} (${effect.low.toFixed(3)} to ${effect.high.toFixed(3)})`
    : '';
  return visible(`${state} by ${pairs} pairs of ${before.slice(0, 12)} and ${after.slice(0, 12)}${ratio}`);
}

/** A change of half and one to the double are equally strong. */
function strengthOf({ before, after, shift }: FollowedChange): number {
  const ratio = Math.abs(Math.log(Math.abs(after / before)));
  return Number.isFinite(ratio) ? ratio : Math.abs(shift.relative?.change ?? 1);
}
