import { documentRef, type SourceProblem, theSource } from '../../platform/page/data/source.ts';
import { useFetched } from '../../platform/page/data/use-document.ts';
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

/**
 * Values of the first of the chosen series that have some in the range: exact where there are few of them, and fetched
 * again when points come in.
 */
export function useColumns(
  choice: PointChoice,
  { zoom, most }: { readonly zoom: readonly [number, number] | undefined; readonly most: number },
): Found {
  const { database, measurement, field, tags } = choice;
  const named = Object.fromEntries(tags.map(([key, value]) => [`tag.${key}`, value]));
  const range = zoom ? { from: zoom[0], to: zoom[1] } : { all: 1 };
  // In one request: the server knows from when until when there are points, and how many.
  const asked = { ...range, buckets: BUCKETS, exact: EXACT_POINTS, most };
  const query = { database, measurement, field, ...named, ...asked };
  const of = JSON.stringify([database, measurement, field, tags]);
  const { value, problem, isLoading } = useFetched({
    key: documentRef(['points'], { query }).path,
    fetch: async (path, signal) => ({ of, columns: new Uint8Array(await theSource().bytes(path, signal)) }),
    topic: 'points',
  });
  // Another range of the same lines stays in sight until its own is here; lines of something else do not.
  const isOfThis = value?.of === of;
  return {
    isBusy: isLoading || (value !== undefined && !isOfThis),
    ...(isOfThis && { columns: value.columns }),
    ...(problem && { problem }),
  };
}
