import { joinPath } from '../../../platform/core/path.ts';
import { type Filters, parseFilters } from '../filters.ts';
import { type PlotQuery, parsePlotQuery } from '../plot-query.ts';
import { filterFolder } from './file-names.ts';

/** Plots that go to one folder, over the entries that pass a filter. */
export interface PlotGroup {
  /** Below the output folder; empty: that folder itself. */
  readonly folder: string;
  /** As it was written; empty: all entries. */
  readonly filter: string;
  readonly filters: Filters;
  readonly query: PlotQuery;
}

interface Wanted {
  readonly id: string;
  readonly generate: readonly string[];
  readonly filters: readonly string[];
}

/** The groups of a plots file: a folder for each filter, and for each entry where there are several. */
export function groupsOfFile(entries: readonly Wanted[]): readonly PlotGroup[] {
  return entries.flatMap(({ id, generate, filters }) => {
    // The names are pieces of a query: "report: Mine&cfg=kpi=throughput" is one of them.
    const query = parsePlotQuery(generate.map((name) => `stats=${name}`).join('&'));
    const own = entries.length > 1 ? filterFolder(id) : '';
    return filters.map((filter) => ({
      folder: joinPath(own, filter === '' ? '' : filterFolder(filter)),
      filter,
      filters: parseFilters(filter),
      query,
    }));
  });
}

export function groupOfQuery(query: PlotQuery): PlotGroup {
  return { folder: '', filter: '', filters: new Map(), query };
}
