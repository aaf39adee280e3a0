import { homeLayout } from '../../home/core/home-layout.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';

/** How the last publication to a target went. Times in milliseconds since 1970. */
export interface PublicationRecord {
  /** As it may be shown. */
  readonly target: string;
  readonly at: number;
  /** Why it failed; absent: it did not. */
  readonly failure?: string;
  /** Since when it fails, or until when it did. */
  readonly failingSince?: number;
  /** How often it was tried before it was left for the next night. */
  readonly tries?: number;
}

/** The newest record of each target that a home still has. */
export async function readPublications(home: string, disk: Disk): Promise<readonly PublicationRecord[]> {
  const text = await disk.readText(publicationsFile(home), { maxBytes: 1_000_000 });
  const value = text === undefined ? [] : parsed(text);
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Adds new outcomes to the stored ones: targets that are no longer named are forgotten. */
export async function writePublications(
  home: string,
  news: readonly PublicationRecord[],
  { disk, targets }: { readonly disk: Disk; readonly targets: readonly string[] },
): Promise<void> {
  const before = new Map((await readPublications(home, disk)).map((it) => [it.target, it]));
  for (const record of news) before.set(record.target, withFailingSince(record, before.get(record.target)));
  const kept = targets.flatMap((target) => before.get(target) ?? []);
  await disk.writeText(publicationsFile(home), `${JSON.stringify(kept)}\n`);
}

function publicationsFile(home: string): string {
  return joinPath(homeLayout(home).own, 'publish/outcomes.json');
}

/** The first success after failures keeps the start of the failures. */
function withFailingSince(
  record: PublicationRecord,
  before: PublicationRecord | undefined,
): PublicationRecord {
  const wasFailing = before?.failure !== undefined;
  if (record.failure === undefined)
    return wasFailing ? { ...record, failingSince: before.failingSince ?? before.at } : record;
  return { ...record, failingSince: wasFailing ? (before.failingSince ?? before.at) : record.at };
}

function isRecord(value: unknown): value is PublicationRecord {
  if (!isJsonObject(value as JsonValue)) return false;
  const { target, at, failure, failingSince, tries } = value as Record<string, unknown>;
  return (
    typeof target === 'string' &&
    typeof at === 'number' &&
    ['string', 'undefined'].includes(typeof failure) &&
    ['number', 'undefined'].includes(typeof failingSince) &&
    ['number', 'undefined'].includes(typeof tries)
  );
}

/** A damaged file counts as empty: the next publication writes it anew. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

/** "not published to git:... since ...: why", or nothing where all is well. */
export function publicationProblem({ target, failure, failingSince, at, tries }: PublicationRecord): string {
  if (failure === undefined) return '';
  const since = new Date(failingSince ?? at).toISOString().slice(0, 16).replace('T', ' ');
  const often = tries === undefined || tries < 2 ? '' : ` after ${tries} tries`;
  return `Publishing the pages to ${target} has failed since ${since} UTC${often}: ${failure} The next night tries again, and so does "nightmark publish".`;
}
