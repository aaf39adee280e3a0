import type { CurvesView } from '../../../curves/app/curves-view.ts';
import type { HomeView } from '../../../dashboard/app/home/home-view.ts';
import type { RunList } from '../../../dashboard/app/list-runs.ts';
import type { MachinesView } from '../../../dashboard/app/machines/machine-view.ts';
import type { DuetList } from '../../../duet/app/read-duet-list.ts';
import type { DuetView } from '../../../duet/app/read-duet-view.ts';
import { VALUES_PER_PAGE } from '../../../home/core/home-pages.ts';
import type { ChangeTable } from '../../../judge/app/changes/change-table.ts';
import { AROUND_PER_PAGE } from '../../../judge/core/changes/change-pages.ts';
import type { SiteAddress } from './site-addresses.ts';
import type { SiteFacts } from './site-facts.ts';

/** Asks for a document by its address below /api; undefined where there is none. */
export type AskDocument = (address: string) => Promise<unknown>;

const MOST_RUNS = 1_000;
const MOST_CHANGES = 500;

/** A document that follows from the index, the ledger of changes and the definition alone. */
export function indexed(address: string, { ofIndex }: SiteFacts): SiteAddress {
  return ofIndex === undefined ? { address } : { address, facts: ofIndex };
}

/** The first page: everything, and its values in pages. */
export async function* homeAddresses(ask: AskDocument, facts: SiteFacts): AsyncIterable<SiteAddress> {
  yield { address: 'home' };
  const rows = ((await ask('home')) as HomeView | undefined)?.rows.length ?? 0;
  for (let page = 0; page * VALUES_PER_PAGE < rows; page++) yield indexed(`home/values/${page}`, facts);
}

/** The list of runs, page after page. */
export async function* runListAddresses(ask: AskDocument, facts: SiteFacts): AsyncIterable<SiteAddress> {
  let before: number | undefined;
  for (let seen = 0; seen < MOST_RUNS; ) {
    const address = before === undefined ? 'runs' : `runs?before=${before}`;
    const list = (await ask(address)) as RunList | undefined;
    if (!list) return;
    yield indexed(address, facts);
    seen += Math.max(1, list.runs.length);
    before = list.nextBefore;
    if (before === undefined) return;
  }
}

export async function* changeAddresses(ask: AskDocument, facts: SiteFacts): AsyncIterable<SiteAddress> {
  const table = (await ask('changes/table')) as ChangeTable | undefined;
  if (!table) return;
  yield indexed('changes/table', facts);
  for (let page = 0; page * AROUND_PER_PAGE < table.changes.length; page++) {
    yield indexed(`changes/around/${page}`, facts);
  }
  for (const change of table.changes.slice(0, MOST_CHANGES)) {
    const address = `changes/${encodeURIComponent(change.id)}`;
    const { series } = change;
    const known =
      series.kind === 'value'
        ? `${facts.ofExperiment(series.experiment)} ${facts.ofDefinition}`
        : facts.ofIndex;
    const rest = known === undefined ? {} : { facts: known };
    yield { address, ...rest };
    yield { address: `${address}/explanation`, ...rest };
  }
}

/** Curves of learning, which lie in files. */
export async function* curveAddresses(ask: AskDocument): AsyncIterable<SiteAddress> {
  yield { address: 'curves' };
  for (const task of ((await ask('curves')) as CurvesView | undefined)?.tasks ?? []) {
    yield { address: `curves/data?task=${encodeURIComponent(task)}` };
  }
}

export async function* duetAddresses(ask: AskDocument): AsyncIterable<SiteAddress> {
  const list = (await ask('duets')) as DuetList | undefined;
  if (!list) return;
  yield { address: 'duets' };
  for (const { id } of list.duets) {
    const address = `duets/${encodeURIComponent(id)}`;
    const view = (await ask(address)) as DuetView | undefined;
    if (!view) continue;
    yield { address };
    yield { address: `${address}/verdicts` };
    for (const [group, { runs }] of view.analysis.groups.entries()) {
      yield { address: `${address}/groups/${group}` };
      for (const run of runs.keys()) yield { address: `${address}/groups/${group}/runs/${run}` };
    }
  }
}

/** What there is one of, and machines one by one. */
export async function* otherAddresses(ask: AskDocument, facts: SiteFacts): AsyncIterable<SiteAddress> {
  for (const address of ['compare', 'compare/choices', 'matrix/entries']) {
    if ((await ask(address)) !== undefined) yield indexed(address, facts);
  }
  yield indexed('machines', facts);
  for (const { key } of ((await ask('machines')) as MachinesView | undefined)?.machines ?? []) {
    yield indexed(`machines/${encodeURIComponent(key)}`, facts);
    yield indexed(`machines/${encodeURIComponent(key)}/telemetry`, facts);
  }
}
