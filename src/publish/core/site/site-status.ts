import { documentText, readDocument } from '../../../platform/core/site/site-files.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { STATUS_PATH } from './site-map.ts';

/** What a page says about the site that it is part of. Times in milliseconds since 1970. */
export interface SiteStatus {
  readonly project: string;
  /** End of the newest night that the site shows; absent: it shows none. */
  readonly dataAt?: number;
  /** When what is shown was last changed. */
  readonly publishedAt: number;
  readonly attemptedAt: number;
  readonly outcome: SiteOutcome;
  readonly leftOut: LeftOut;
}

/** Files that are in the home and not in the site. */
export interface LeftOut {
  /** Older than the nights that are shown, or beyond the size that the site may have. */
  readonly old: number;
  /** Pictures that could run something in a browser. */
  readonly unsafe: number;
}

/** Broken: the newest results could not be shown, and the site is the earlier one. */
export type SiteOutcome =
  | { readonly state: 'fine' }
  | { readonly state: 'broken'; readonly reason: string; readonly runId?: string };

export function statusText(status: SiteStatus): string {
  return documentText(STATUS_PATH, status);
}

/** Undefined when it is none, or of a version to come. */
export function readStatus(text: string): SiteStatus | undefined {
  const content = readDocument(text)?.content as JsonValue | undefined;
  if (!isJsonObject(content)) return undefined;
  const { project, publishedAt, attemptedAt, outcome, leftOut } = content;
  const isStatus =
    typeof project === 'string' &&
    typeof publishedAt === 'number' &&
    typeof attemptedAt === 'number' &&
    isJsonObject(outcome) &&
    isJsonObject(leftOut);
  return isStatus ? (content as unknown as SiteStatus) : undefined;
}
