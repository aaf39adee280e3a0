import { useAddress } from '../../platform/page/router/address.ts';
import { readSelection, type Selection } from './list/selection.ts';

/** What the list is of, as the address has it. */
export interface Filters {
  readonly search?: string;
  readonly status?: string;
  readonly project?: string;
  /** Most that are listed; absent: as far as one scrolls. */
  readonly limit?: number;
}

const NAMES = ['search', 'status', 'project'] as const;

export function useFilters(): Filters {
  const { query } = useAddress();
  const given = NAMES.flatMap((name) => (query.get(name) ? [[name, query.get(name)] as const] : []));
  const limit = Number(query.get('limit') ?? '');
  return { ...Object.fromEntries(given), ...(Number.isInteger(limit) && limit > 0 && { limit }) };
}

export function useSelection(): Selection {
  return readSelection(useAddress().query.get('jobs') ?? undefined);
}

/** Parameters of the API that choose the same jobs; undefined: none is chosen. */
export function queryOf(
  selection: Selection,
  { limit, ...filters }: Filters,
  most: number,
): Readonly<Record<string, string | number | readonly string[]>> | undefined {
  if (selection === 'all') return { ...filters, limit: Math.min(limit ?? most, most) };
  return selection.length === 0 ? undefined : { id: selection };
}
