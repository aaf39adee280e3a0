import { readZoom } from '../../../platform/page/router/address.ts';
import { BANDS, type Band } from './mean-curves.ts';

/** Every choice about the charts: in the address, and copied as JSON. */
export interface SeriesState {
  readonly measurement: readonly string[];
  readonly tags: readonly string[];
  readonly columns?: string;
  readonly rows?: string;
  /** Absent: by job. */
  readonly hue?: string;
  /** Absent: by what parts curves that would look the same. */
  readonly pattern?: string;
  readonly over: readonly string[];
  readonly band: Band;
  /** "time", "relative" or a field; absent: the first step field. */
  readonly x?: string;
  /** Values of the hue that hold this text get the colours. */
  readonly mark?: string;
  /** From 0 to below 1. */
  readonly smooth: number;
  readonly isLogX: boolean;
  readonly isLogY: boolean;
  readonly xRange?: readonly [number, number];
  readonly yRange?: readonly [number, number];
  /** In percent. */
  readonly opacity: number;
  /** Where the crosshair stays: x and y. */
  readonly at?: readonly [number, number];
}

const LISTS = ['measurement', 'tags', 'over'] as const;
const NAMES = ['columns', 'rows', 'hue', 'pattern', 'x', 'mark'] as const;
const USUAL_OPACITY = 80;

/** Invalid parameters are ignored. */
export function readState(query: URLSearchParams): SeriesState {
  const names = NAMES.map((name) => [name, query.get(name)] as const);
  const [xRange, yRange] = [readZoom(query.get('xrange') ?? ''), readZoom(query.get('yrange') ?? '')];
  const at = (query.get('at') ?? '').split(',').map(Number);
  const band = BANDS.find((one) => one === query.get('band')) ?? 'sd';
  const log = query.get('log') ?? '';
  return {
    ...{ measurement: query.getAll('measurement'), tags: query.getAll('tags'), over: query.getAll('over') },
    ...Object.fromEntries(names.filter(([, value]) => value !== null && value !== '')),
    ...{ band, isLogX: log.includes('x'), isLogY: log.includes('y') },
    smooth: within(query.get('smooth'), [0, 0.999], 0),
    opacity: within(query.get('opacity'), [5, 100], USUAL_OPACITY),
    ...(xRange && { xRange }),
    ...(yRange && { yRange }),
    ...(at.length === 2 && at.every(Number.isFinite) && { at: [at[0] ?? 0, at[1] ?? 0] as const }),
  };
}

/** Parameters of the address; defaults are left out. */
export function stateParameters(
  state: SeriesState,
): Readonly<Record<string, string | readonly string[] | undefined>> {
  const { band, smooth, opacity, xRange, yRange, at } = state;
  return {
    ...Object.fromEntries(LISTS.map((name) => [name, state[name]])),
    ...Object.fromEntries(NAMES.map((name) => [name, state[name]])),
    band: band === 'sd' ? undefined : band,
    smooth: smooth === 0 ? undefined : String(smooth),
    opacity: opacity === USUAL_OPACITY ? undefined : String(opacity),
    log: `${state.isLogX ? 'x' : ''}${state.isLogY ? 'y' : ''}`,
    xrange: xRange?.join('..'),
    yrange: yRange?.join('..'),
    at: at?.join(','),
  };
}

/** All choices as text to keep, send, and paste on the page. */
export function stateJson(state: SeriesState): string {
  const given = Object.entries(stateParameters(state)).filter(
    ([, value]) => value !== undefined && value.length > 0,
  );
  return JSON.stringify(Object.fromEntries(given));
}

/** Undefined: not a state of charts. */
export function readStateJson(text: string): SeriesState | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const known = new Set<string>([
    ...LISTS,
    ...NAMES,
    'band',
    'smooth',
    'opacity',
    'log',
    'xrange',
    'yrange',
    'at',
  ]);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (!known.has(name)) return undefined;
    for (const one of [value].flat()) query.append(name, String(one));
  }
  return readState(query);
}

function within(text: string | null, [low, high]: readonly [number, number], usual: number): number {
  const value = Number(text ?? '');
  return text === null || text === '' || !Number.isFinite(value)
    ? usual
    : Math.min(high, Math.max(low, value));
}
