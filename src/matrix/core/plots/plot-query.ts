import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { type Filters, parseFilters } from '../filters.ts';
import { filterFolder } from './report-index.ts';

/** What to draw, as a query of the original explorer: stats=a&stats=b&key=value&settings-order=a|b&cfg=key=value. */
export interface PlotQuery {
  /** Names or ids of plots, in order. */
  readonly stats: readonly string[];
  /** Wanted values by setting; EVERY_VALUE for all. Other settings have their default. */
  readonly settings: ReadonlyMap<string, readonly string[]>;
  /** Settings that come first among those that vary. */
  readonly order: readonly string[];
  readonly cfg: Readonly<Record<string, string | number>>;
}

/** As a value of a setting: each of its values, one after the other. */
export const EVERY_VALUE = '---';

/** Reads a query as browsers write it; a leading "?" is ignored. */
export function parsePlotQuery(text: string): PlotQuery {
  const stats: string[] = [];
  const settings = new Map<string, readonly string[]>();
  const cfg = new Map<string, string | number>();
  let order: readonly string[] = [];
  for (const part of text.replace(/^\?/, '').split('&')) {
    if (part === '') continue;
    const [key, value] = pairOf(part);
    if (key === 'stats') stats.push(value);
    else if (key === 'settings-order') order = value.split('|').filter((name) => name !== '');
    else if (key === 'cfg') addConfig(cfg, value);
    else settings.set(key, [...(settings.get(key) ?? []), value]);
  }
  return { stats: [...new Set(stats)], settings, order, cfg: Object.fromEntries(cfg) };
}

function pairOf(part: string): readonly [key: string, value: string] {
  const at = part.indexOf('=');
  if (at > 0) return [decoded(part.slice(0, at)), decoded(part.slice(at + 1))];
  throw new NightmarkError('MATRIX_BAD_QUERY', `"${part}" of the query is not of the form key=value.`, {
    hint: 'For example: "stats=lines&model=m1&users=---&settings-order=users|model&cfg=kpi=throughput".',
  });
}

/** "key=" removes a key; digits are a number. */
function addConfig(cfg: Map<string, string | number>, text: string): void {
  const at = text.indexOf('=');
  const [key, value] = at > 0 ? [text.slice(0, at), text.slice(at + 1)] : pairOf(text);
  if (value === '') cfg.delete(key);
  else cfg.set(key, /^-?\d{1,15}$/.test(value) ? Number(value) : value);
}

/** Invalid escapes stay as they are written. */
function decoded(text: string): string {
  return text.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes; // invalid UTF-8
    }
  });
}

/** Plots of one folder, drawn from the entries that pass a filter. */
export interface PlotGroup {
  /** Below the output folder; empty: that folder itself. */
  readonly folder: string;
  /** As it was written; empty: all entries. */
  readonly filter: string;
  readonly filters: Filters;
  readonly query: PlotQuery;
}

interface PlotsFileEntry {
  readonly id: string;
  readonly generate: readonly string[];
  readonly filters: readonly string[];
}

/** The groups of a plots file: a folder for each filter, and for each entry where there are several. */
export function groupsOfFile(entries: readonly PlotsFileEntry[]): readonly PlotGroup[] {
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
