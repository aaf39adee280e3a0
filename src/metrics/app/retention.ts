import type { MetricsRetention } from '../../home/core/home.ts';
import { decodeColumn } from '../core/codec/column-codec.ts';
import { decodeSummaries, type Summaries, summarize, summarizeAgain } from '../core/codec/summaries.ts';
import { countOf, joinValues } from '../core/points/column-values.ts';
import type { Block, PointStorage, StoredBlock } from '../core/points/point-storage.ts';
import { compareTimestamps, type Timestamp, timestampAt } from '../core/points/points.ts';
import { summaryBlocks, TIER_SPANS_MS } from './blocks.ts';

/** Downsamples what is too old to the next tier, whole blocks at a time, and deletes what is too old for all tiers. */
export async function applyRetention(
  storage: PointStorage,
  columns: readonly number[],
  { now, policy }: { readonly now: number; readonly policy: MetricsRetention },
): Promise<void> {
  const ages = [
    policy.rawMs,
    policy.minutesMs ?? Number.POSITIVE_INFINITY,
    policy.hoursMs ?? Number.POSITIVE_INFINITY,
  ];
  for (const column of columns) {
    for (const [tier, age] of ages.entries()) {
      const limit = now - age;
      if (!Number.isFinite(limit)) continue;
      const old = await blocksBefore(storage, [column, tier], { ms: limit, ns: 0 });
      if (old.length === 0) continue;
      const isKept = tier + 1 < TIER_SPANS_MS.length;
      const { blocks, replaced } = isKept ? await nextTier(storage, old) : { blocks: [], replaced: [] };
      await storage.commit({
        columns: [],
        blocks,
        replaced: [...old, ...replaced].map(({ id }) => id),
        upTo: 0,
      });
    }
  }
}

async function blocksBefore(
  storage: PointStorage,
  [column, tier]: readonly [number, number],
  to: Timestamp,
): Promise<readonly StoredBlock[]> {
  const old: StoredBlock[] = [];
  for await (const block of storage.blocks({ columns: [column], range: { to }, tier })) {
    if (compareTimestamps(block.last, to) < 0) old.push(block);
  }
  return old;
}

/** One block of summaries, merged with the summaries of the same time that exist already. */
async function nextTier(
  storage: PointStorage,
  old: readonly StoredBlock[],
): Promise<{ blocks: readonly Block[]; replaced: readonly StoredBlock[] }> {
  const [first] = old as readonly [StoredBlock];
  const tier = first.tier + 1;
  const spanMs = TIER_SPANS_MS[tier] as number;
  let summaries =
    first.tier === 0
      ? summarizeRaw(old, spanMs)
      : summarizeAgain(joined(old.map(({ bytes }) => decodeSummaries(bytes))), spanMs);
  const count = summaries.timestamps.ms.length;
  const [from, last] = [timestampAt(summaries.timestamps, 0), timestampAt(summaries.timestamps, count - 1)];
  const replaced: StoredBlock[] = [];
  for await (const block of storage.blocks({
    columns: [first.column],
    range: { from, to: { ms: last.ms, ns: 1 } },
    tier,
  }))
    replaced.push(block);
  if (replaced.length > 0) {
    summaries = summarizeAgain(
      joined([...replaced.map(({ bytes }) => decodeSummaries(bytes)), summaries]),
      spanMs,
    );
  }
  return { blocks: summaryBlocks([first.column, tier], summaries), replaced };
}

function summarizeRaw(blocks: readonly StoredBlock[], spanMs: number): Summaries {
  const parts = blocks.map(({ bytes }) => decodeColumn(bytes));
  return summarize(joinValues(parts[0]?.type ?? 'float', parts), spanMs);
}

/** All spans in time order; of the same span the earlier list first. */
function joined(lists: readonly Summaries[]): Summaries {
  const [first] = lists as readonly [Summaries];
  const order = lists
    .flatMap((list, at) => Array.from(list.timestamps.ms, (ms, place) => ({ ms, at, place })))
    .sort((a, b) => a.ms - b.ms || a.at - b.at);
  const last = joinValues(
    first.type,
    lists.map((list) => list.last),
  );
  const offsets = lists.map((_, at) => lists.slice(0, at).reduce((sum, list) => sum + countOf(list.last), 0));
  const places = order.map(({ at, place }) => (offsets[at] as number) + place);
  const take = (key: 'count' | 'min' | 'max' | 'mean') => {
    const all = lists.flatMap((list) => Array.from(list[key] ?? []));
    return Float64Array.from(places, (place) => all[place] as number);
  };
  const timestamps = { ms: Float64Array.from(order, ({ ms }) => ms), ns: new Int32Array(order.length) };
  const { type, numbers, strings, bigints } = last;
  const lasts = {
    type,
    timestamps,
    ...(numbers && { numbers: Float64Array.from(places, (place) => numbers[place] as number) }),
    ...(strings && { strings: places.map((place) => strings[place] as string) }),
    ...(bigints && {
      bigints: bigints.map(
        (_: bigint, index: number) => bigints[places[index] as number] as bigint,
      ) as typeof bigints,
    }),
  };
  const base = { type, timestamps, last: lasts, count: take('count') };
  return first.mean ? { ...base, min: take('min'), max: take('max'), mean: take('mean') } : base;
}
