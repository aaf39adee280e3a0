import { SEVERITIES } from '../../../home/core/home.ts';
import { textHash } from '../../../platform/core/text/change-hash.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { isClosing, type Notice } from './notice.ts';

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
    title: `${counted(sorted.length, 'notice')}: ${countsOf(sorted)}`,
    text: lines.join('\n'),
    facts: [],
    ...(first.link !== undefined && { link: linkOfAll(first.link) }),
    mentions: [...new Set(shown.flatMap(({ mentions }) => mentions))],
    charts: [...new Set(shown.flatMap(({ charts }) => charts))].slice(0, MOST_CHARTS),
    strength: first.strength,
  };
}

/** What is only to be known comes last; else the size counts, not how certain it is already. */
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
      const [one, many] = WORDS[event] ?? [event, event];
      return `${counted(count, one, many)}${state === undefined ? '' : ` ${state}`}`;
    })
    .join(', ');
}

const WORDS: Readonly<Record<string, readonly [string, string]>> = {
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
