import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { type ByteTools, hashText } from './load-file.ts';
import type { SiteAddress } from './site-addresses.ts';

/**
 * Which documents follow from the index, the ledger of changes and the definition, with what they rest on. While none of
 * these changed it is read from the stamp book, and the index is not asked at all.
 */
export interface Outline {
  readonly experiments: readonly string[];
  /** Their facts as hashes. */
  readonly addresses: readonly SiteAddress[];
}

/** Remembers the newest outline. */
export interface OutlineBook {
  outline(key: string): Outline | undefined;
  learnOutline(key: string, outline: Outline): void;
}

export async function makeOutline(
  experiments: readonly string[],
  addresses: AsyncIterable<SiteAddress>,
  tools: ByteTools,
): Promise<Outline> {
  const brief: SiteAddress[] = [];
  for await (const one of addresses) brief.push(withHash(one, tools));
  return { experiments, addresses: brief };
}

/** Facts may be long, and thousands of addresses are held. */
export function withHash(one: SiteAddress, tools: ByteTools): SiteAddress {
  return one.facts === undefined ? one : { ...one, facts: hashText(JSON.stringify(one.facts), tools) };
}

/** When the pictures and the summary of an experiment were changed. */
export async function touchedFiles(home: string, name: string, disk: Disk): Promise<string> {
  const layout = homeLayout(home);
  const paths = [layout.graph(name), joinPath(layout.summary(name), 'summary.json')];
  const facts = await Promise.all(paths.map((path) => disk.stat(path)));
  return facts.map((one) => one?.changedAt ?? '').join(' ');
}

/** What was written down, if it is an outline. */
export function readOutline(value: unknown): Outline | undefined {
  const { experiments, addresses } = (value ?? {}) as { experiments?: unknown; addresses?: unknown };
  if (!Array.isArray(experiments) || !experiments.every((name) => typeof name === 'string')) return undefined;
  if (!Array.isArray(addresses) || !addresses.every(isAddress)) return undefined;
  return { experiments, addresses };
}

function isAddress(value: unknown): value is SiteAddress {
  const { address, facts, history, showsFilesOf } = (value ?? {}) as Partial<
    Record<keyof SiteAddress, unknown>
  >;
  const { name, first } = (history ?? { name: '', first: 0 }) as { name?: unknown; first?: unknown };
  return (
    typeof address === 'string' &&
    [facts, showsFilesOf].every((one) => ['string', 'undefined'].includes(typeof one)) &&
    typeof name === 'string' &&
    typeof first === 'number'
  );
}
