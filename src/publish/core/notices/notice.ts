import { type NoticeEvent, SEVERITIES, type Severity } from '../../../home/core/home.ts';

/** Where a matter stands. Behind the bar are those that end it: the next one begins it anew. */
export type NoticeState =
  | 'found'
  | 'confirmed'
  | 'failed'
  | 'missing'
  | 'broken'
  | 'finished'
  | 'digest'
  | 'rehearsal'
  | ClosingState;

type ClosingState = 'withdrawn' | 'expected' | 'fixed' | 'false' | 'recovered' | 'returned';

/** Something that people are to be told. All texts are untrusted: names and messages of experiments are in them. */
export interface Notice {
  /** What it is about; later news of the same topic belong to the same message. */
  readonly topic: string;
  /** digest: many in one; rehearsal: somebody looks whether a route works. */
  readonly event: NoticeEvent | 'digest' | 'rehearsal';
  readonly state: NoticeState;
  readonly severity: Severity;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly project: string;
  readonly runId?: string;
  /** Or the name of a KPI. */
  readonly experiment?: string;
  /** One line. */
  readonly title: string;
  readonly text: string;
  readonly facts: readonly NoticeFact[];
  /** An address of the page. */
  readonly link?: string;
  /** Who is to look: what `notify` of an experiment says. */
  readonly mentions: readonly string[];
  /** Changes whose charts belong to it. */
  readonly charts: readonly string[];
  /** Of two, the stronger one comes first in a digest. */
  readonly strength: number;
  /** Only for those who were told of the topic before. */
  readonly isAfterthought?: boolean;
}

export interface NoticeFact {
  readonly name: string;
  readonly value: string;
}

const CLOSING: ReadonlySet<string> = new Set([
  'withdrawn',
  'expected',
  'fixed',
  'false',
  'recovered',
  'returned',
] satisfies ClosingState[]);

export function isClosing(state: NoticeState): boolean {
  return CLOSING.has(state);
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
}
