import { type NoticeEvent, SEVERITIES, type Severity } from '../../../home/core/home.ts';

/** The state of a topic. Closing states end it: a later notice of the topic begins anew. */
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

/** Something to notify people of. All texts are untrusted: they hold names and messages of experiments. */
export interface Notice {
  /** What it is about; later notices of the same topic belong to the same message. */
  readonly topic: string;
  /** digest: many in one; rehearsal: the test of a route. */
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
  /** Who is mentioned: `notify` of the experiment. */
  readonly mentions: readonly string[];
  /** Changes whose charts belong to it. */
  readonly charts: readonly string[];
  /** Of two, the stronger one comes first in a digest. */
  readonly strength: number;
  /** What it has in common with other notices, such as a commit: these become one message. */
  readonly cause?: { readonly key: string; readonly title: string };
  /** Only for destinations that had a notice of the topic before. */
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

const ELLIPSIS = ' [...]';

/** A text of at most so many UTF-16 units; a cut text ends with an ellipsis. Surrogate pairs stay whole. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest - ELLIPSIS.length).replace(/[\ud800-\udbff]$/, '')}${ELLIPSIS}`;
}

/** An address below the public one of a page; a name is one part of the path, whatever is in it. */
export function pageLink(
  page: string | undefined,
  kind: 'experiments' | 'runs' | 'changes',
  name?: string,
): { readonly link?: string } {
  if (page === undefined) return {};
  const path =
    name === undefined ? kind : `${kind}/${encodeURIComponent(name.replace(/\p{Cs}/gu, '\ufffd'))}`;
  return { link: `${page.replace(/\/+$/, '')}/${path}` };
}
