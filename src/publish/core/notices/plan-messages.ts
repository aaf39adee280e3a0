import { SEVERITIES } from '../../../home/core/home.ts';
import { textHash } from '../../../platform/core/text/change-hash.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { isClosing, type Notice } from './notice.ts';
import type { NotifierAbilities } from './notifier.ts';
import { type Deliveries, earlierOf, type Pending } from './pending-notices.ts';

/** One thing to send: as a message of its own, in the place of an earlier one, or below it. */
export interface PlannedMessage {
  readonly notice: Notice;
  readonly as: readonly Step[];
  /** The notices that are delivered when it has arrived. */
  readonly covers: readonly Notice[];
  readonly isDigest: boolean;
}

export type Step = { readonly kind: 'new' } | { readonly kind: 'update' | 'reply'; readonly receipt: string };

/** More at once become one digest. */
const MOST_SINGLE = 5;

/** Plans the messages of all pending notices: few, whatever happened. */
export function planMessages(
  pending: readonly Pending[],
  deliveries: Deliveries,
  supports: NotifierAbilities,
): readonly PlannedMessage[] {
  const notices = pending.map(({ notice }) => notice);
  // What was held back comes as one message at the end of quiet hours.
  if (pending.some(({ isHeld }) => isHeld) && notices.length > 1) return [asDigest(notices)];
  const isSame = (notice: Notice) => earlierOf(notice, deliveries)?.state === notice.state;
  const silent = notices.filter(isSame);
  const news = notices.filter((notice) => !isSame(notice));
  const groups = byCause(news);
  const loud =
    groups.length > MOST_SINGLE
      ? [asDigest(news)]
      : groups.map((group) => (group[1] ? asDigest(group) : single(group[0], deliveries, supports)));
  return [...loud, ...silent.map((it) => single(it, deliveries, supports))];
}

/** Notices with the same cause and state together, in the order of their first ones. */
function byCause(notices: readonly Notice[]): readonly (readonly [Notice, ...Notice[]])[] {
  const groups = new Map<string, [Notice, ...Notice[]]>();
  for (const notice of notices) {
    const { cause, topic, event, state } = notice;
    const key = cause ? JSON.stringify([cause.key, event, state]) : topic;
    const group = groups.get(key);
    if (group) group.push(notice);
    else groups.set(key, [notice]);
  }
  return [...groups.values()];
}

function asDigest(notices: readonly Notice[]): PlannedMessage {
  return { notice: digestOf(notices), as: [{ kind: 'new' }], covers: notices, isDigest: true };
}

function single(notice: Notice, deliveries: Deliveries, supports: NotifierAbilities): PlannedMessage {
  return { notice, as: stepsOf(notice, deliveries, supports), covers: [notice], isDigest: false };
}

function stepsOf(
  notice: Notice,
  deliveries: Deliveries,
  { updates, threads }: NotifierAbilities,
): readonly [Step, ...Step[]] {
  const earlier = earlierOf(notice, deliveries);
  const receipt = earlier?.receipt;
  if (!earlier || receipt === undefined) return [{ kind: 'new' }];
  const reply = { kind: 'reply', receipt } as const;
  if (!updates || earlier.isDigest === true) return [threads ? reply : { kind: 'new' }];
  // Nobody is alerted by an edited message: a new state is also posted below it.
  const update = { kind: 'update', receipt } as const;
  return threads && earlier.state !== notice.state ? [update, reply] : [update];
}

const MOST_LINES = 10;
const MOST_CHARTS = 3;

/** Many notices as one: how many of what, and the strongest of them. At least one. */
export function digestOf(notices: readonly Notice[]): Notice {
  const sorted = notices.toSorted(strongestFirst);
  const first = sorted[0] as Notice;
  const shown = sorted.slice(0, MOST_LINES);
  const more = sorted.length - shown.length;
  const lines = shown.map(({ title }) => `• ${title}`);
  if (more > 0) lines.push(`and ${more} more.`);
  return {
    topic: `digest:${textHash(sorted.map(({ topic, state }) => `${topic}=${state}`).join('\n'))}`,
    event: 'digest',
    state: 'digest',
    severity: SEVERITIES[Math.max(...sorted.map(({ severity }) => SEVERITIES.indexOf(severity)))] ?? 'info',
    at: Math.max(...sorted.map(({ at }) => at)),
    project: first.project,
    ...(first.runId !== undefined && { runId: first.runId }),
    title: digestTitle(sorted),
    text: lines.join('\n'),
    facts: hasOneCause(sorted) ? first.facts.filter(({ name }) => OF_CAUSE.has(name)) : [],
    ...(first.link !== undefined && { link: linkOfAll(first.link) }),
    mentions: [...new Set(shown.flatMap(({ mentions }) => mentions))],
    charts: [...new Set(shown.flatMap(({ charts }) => charts))].slice(0, MOST_CHARTS),
    strength: first.strength,
  };
}

/** "3 regressions: engine c883730 Use a slower hash (Ada)" where all have one cause. */
function digestTitle(notices: readonly Notice[]): string {
  return hasOneCause(notices)
    ? `${countsOf(notices)}: ${notices[0]?.cause?.title}`
    : `${counted(notices.length, 'notice')}: ${countsOf(notices)}`;
}

function hasOneCause(notices: readonly Notice[]): boolean {
  const key = notices[0]?.cause?.key;
  return key !== undefined && notices.every(({ cause }) => cause?.key === key);
}

/** Facts that all notices of one cause share. */
const OF_CAUSE: ReadonlySet<string> = new Set(['Commits', 'Compare']);

/** Mere information comes last; otherwise the size counts, not the certainty. */
function strongestFirst(a: Notice, b: Notice): number {
  const isInfo = Number(a.severity === 'info') - Number(b.severity === 'info');
  return isInfo || b.strength - a.strength || (a.topic < b.topic ? -1 : 1);
}

/** "300 regressions, 2 failed experiments". */
function countsOf(notices: readonly Notice[]): string {
  const counts = new Map<string, number>();
  for (const { event, state } of notices) {
    const key = isClosing(state) ? `${event}:${state}` : event;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([key, count]) => {
      const [event = '', state] = key.split(':');
      const [one, many] = EVENT_NAMES[event] ?? [event, event];
      return `${counted(count, one, many)}${state === undefined ? '' : ` ${state}`}`;
    })
    .join(', ');
}

const EVENT_NAMES: Readonly<Record<string, readonly [string, string]>> = {
  regression: ['regression', 'regressions'],
  improvement: ['improvement', 'improvements'],
  change: ['change', 'changes'],
  machine: ['changed machine', 'changed machines'],
  failed: ['failed experiment', 'failed experiments'],
  missing: ['missing series', 'missing series'],
  'night-broken': ['broken night', 'broken nights'],
  'night-finished': ['night', 'nights'],
  publication: ['publication', 'publications'],
};

/** All of them are found from the first page. */
function linkOfAll(link: string): string {
  return link.replace(/\/(?:experiments|runs|changes)(?:\/.*)?$/, '/changes');
}
