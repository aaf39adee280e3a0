import { useEffect, useState } from 'preact/hooks';
import { decodeWire } from '../../../core/points/columns-wire.ts';
import { documentRef } from '../../data/document.ts';
import { onNews } from '../../data/news.ts';
import { SourceProblem, theSource } from '../../data/source.ts';
import type { PointChoice } from './point-choice.ts';

export interface PointExtent {
  readonly count: number;
  readonly fromMs: number;
  readonly toMs: number;
}

interface Found {
  readonly columns?: Uint8Array;
  readonly extent?: PointExtent;
  readonly problem?: SourceProblem;
  readonly isBusy: boolean;
}

/** About one for each pixel. */
const BUCKETS = 1_000;
/** So many are drawn as they are. */
const EXACT_POINTS = 20_000;

/** Values of the chosen series in the range: exact where there are few of them, and fetched again when points come in. */
export function useColumns(choice: PointChoice, zoom: readonly [number, number] | undefined): Found {
  const [found, setFound] = useState<Found>({ isBusy: true });
  const [round, setRound] = useState(0);
  const key = JSON.stringify([choice.database, choice.measurement, choice.field, choice.tags]);
  const [shown, setShown] = useState('');
  useEffect(() => onNews('points', () => setRound((count) => count + 1)), []);
  useEffect(() => {
    const control = new AbortController();
    setFound((before) => (shown === key ? { ...before, isBusy: true } : { isBusy: true }));
    setShown(key);
    fetchColumns(choice, zoom, control.signal)
      .then((one) => !control.signal.aborted && setFound({ ...one, isBusy: false }))
      .catch((error: unknown) => {
        if (control.signal.aborted) return;
        const problem = error instanceof SourceProblem ? error : new SourceProblem(String(error));
        setFound((before) => ({ ...before, problem, isBusy: false }));
      });
    return () => control.abort();
  }, [key, zoom?.[0], zoom?.[1], round]);
  return found;
}

async function fetchColumns(
  choice: PointChoice,
  zoom: readonly [number, number] | undefined,
  signal: AbortSignal,
): Promise<Omit<Found, 'isBusy'>> {
  const { database, measurement, field, tags } = choice;
  const named = Object.fromEntries(tags.map(([key, value]) => [`tag.${key}`, value]));
  const query = { database, measurement, field, ...named };
  const path = (name: string[], more: Record<string, number | undefined>) =>
    documentRef(['points', ...name], { query: { ...query, ...more } }).path;
  const source = theSource();
  const extent = (await source.json(path(['extent'], {}), signal)) as PointExtent;
  if (extent.count === 0) return {};
  const [from, to] = zoom ?? [extent.fromMs, extent.toMs];
  const bytes = async (more: Record<string, number>) =>
    new Uint8Array(await source.bytes(path([], { from, to, ...more }), signal));
  if (extent.count <= EXACT_POINTS) return { extent, columns: await bytes({ raw: 1 }) };
  const columns = await bytes({ buckets: BUCKETS });
  const isFew = zoom !== undefined && countIn(columns) <= EXACT_POINTS;
  return { extent, columns: isFew ? await bytes({ raw: 1 }) : columns };
}

function countIn(bytes: Uint8Array): number {
  let sum = 0;
  for (const { columns } of decodeWire(bytes).series) for (const count of columns[3] ?? []) sum += count;
  return sum;
}
