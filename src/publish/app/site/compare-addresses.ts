import { countDigest } from '../../../home/app/run-queries.ts';
import type { Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { CompareView } from '../../../judge/app/compare/compare-view.ts';
import { isNotable } from '../../../judge/core/compare/compared-row.ts';
import { type AskDocument, indexed } from './document-addresses.ts';
import type { SiteAddress } from './site-addresses.ts';
import type { SiteFacts } from './site-facts.ts';

/** Nights that are compared with the one before each of them. */
const COMPARED = 5;
const LOOKED_AT = 60;
const ROWS = 30;

/** The newest nights, each against the one before; and the newest against the last one in which nothing failed. */
export async function* compareAddresses(
  facts: SiteFacts,
  { store, ask }: { readonly store: Store; readonly ask: AskDocument },
): AsyncIterable<SiteAddress> {
  const nights = facts.runs
    .filter(({ kind, state }) => kind === 'night' && state === 'finished')
    .slice(0, LOOKED_AT);
  const [newest] = nights;
  if (!newest) return;
  const pairs = nights.slice(0, COMPARED).flatMap((head, place) => {
    const base = nights[place + 1];
    return base ? [{ base, head }] : [];
  });
  const good = await lastGood(nights.slice(1), store);
  if (good && !pairs.some(({ base, head }) => base === good && head === newest))
    pairs.push({ base: good, head: newest });
  for (const { base, head } of pairs) {
    const address = `compare?base=${encodeURIComponent(base.id)}&head=${encodeURIComponent(head.id)}`;
    yield indexed(address, facts);
    yield* rowAddresses(address, { ask, facts });
  }
}

/** What the page shows of a row when it is opened: of the first ones that tell something. */
export async function* rowAddresses(
  address: string,
  { ask, facts }: { readonly ask: AskDocument; readonly facts: SiteFacts },
): AsyncIterable<SiteAddress> {
  const view = (await ask(address)) as CompareView | undefined;
  for (const { experiment, path } of view?.rows.filter(isNotable).slice(0, ROWS) ?? []) {
    const pairs = [
      ['base', view?.base.asked],
      ['head', view?.head.asked],
      ['experiment', experiment],
      ...path.map((part) => ['path', part]),
    ];
    const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&');
    yield indexed(`compare/series?${query}`, facts);
  }
}

async function lastGood(nights: readonly Run[], store: Store): Promise<Run | undefined> {
  const countsOf = countDigest(await store.trialDigest(nights.map(({ id }) => id)));
  return nights.find(({ id }) => {
    const { succeeded, failed } = countsOf(id, 'experiment');
    return succeeded > 0 && failed === 0;
  });
}
