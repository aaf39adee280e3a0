import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { documentRef } from '../../data/document.ts';
import { onNews } from '../../data/news.ts';
import { SourceProblem, theSource } from '../../data/source.ts';
import type { PointChoice } from './point-choice.ts';

interface Found {
  readonly columns?: Uint8Array;
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
  // Asked for at once: what is done after painting waits for a picture of nothing.
  useLayoutEffect(() => {
    const control = new AbortController();
    setFound((before) => (shown === key ? { ...before, isBusy: true } : { isBusy: true }));
    setShown(key);
    fetchColumns(choice, zoom, control.signal)
      .then((columns) => !control.signal.aborted && setFound({ columns, isBusy: false }))
      .catch((error: unknown) => {
        if (control.signal.aborted) return;
        const problem = error instanceof SourceProblem ? error : new SourceProblem(String(error));
        setFound((before) => ({ ...before, problem, isBusy: false }));
      });
    return () => control.abort();
  }, [key, zoom?.[0], zoom?.[1], round]);
  return found;
}

/** In one request: the server knows from when until when there are points, and how many. */
async function fetchColumns(
  { database, measurement, field, tags }: PointChoice,
  zoom: readonly [number, number] | undefined,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const named = Object.fromEntries(tags.map(([key, value]) => [`tag.${key}`, value]));
  const range = zoom ? { from: zoom[0], to: zoom[1] } : { all: 1 };
  const query = { database, measurement, field, ...named, ...range, buckets: BUCKETS, exact: EXACT_POINTS };
  return new Uint8Array(await theSource().bytes(documentRef(['points'], { query }).path, signal));
}
