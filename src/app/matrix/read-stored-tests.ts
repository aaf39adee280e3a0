import { type EntryTable, entryTable } from '../../core/explorer/entry-table.ts';
import { isFailed } from '../../core/explorer/select-entries.ts';
import type { Store } from '../../core/ports/store.ts';
import type { JsonValue } from '../../core/text/json.ts';

/** Every test that the explorer shows. */
export interface StoredTests extends EntryTable {
  /** There are older tests than these. */
  readonly hasOlder: boolean;
}

/** What there is to choose from. */
export interface MatrixFacts {
  readonly tests: number;
  readonly failed: number;
  readonly hasOlder: boolean;
  readonly from: number | null;
  readonly to: number | null;
  readonly settings: readonly {
    readonly name: string;
    readonly values: readonly { readonly value: JsonValue; readonly tests: number }[];
  }[];
  readonly kpis: readonly {
    readonly name: string;
    readonly help: string;
    readonly unit: string;
    readonly better: string;
    readonly tests: number;
    readonly withoutValue: number;
  }[];
}

/** More are not looked at together; the newest are taken. */
const MAX_TESTS = 20_000;

/** The stored tests as columns. */
export async function readStoredTests(store: Store | undefined, limit = MAX_TESTS): Promise<StoredTests> {
  const payloads = (await store?.payloads({ limit: limit + 1 })) ?? [];
  const hasOlder = payloads.length > limit;
  return { ...entryTable(hasOlder ? payloads.slice(1) : payloads), hasOlder };
}

export function matrixFacts(entries: StoredTests): MatrixFacts {
  const times = entries.times.filter((time) => time !== null);
  return {
    tests: entries.ids.length,
    failed: [...entries.ids.keys()].filter((row) => isFailed(entries, row)).length,
    hasOlder: entries.hasOlder,
    from: times[0] ?? null,
    to: times.at(-1) ?? null,
    settings: entries.settings.map(({ name, values, codes }) => {
      const counts = values.map(() => 0);
      for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
      return { name, values: values.map((value, place) => ({ value, tests: counts[place] ?? 0 })) };
    }),
    kpis: entries.kpis.map(({ name, help, unit, better, values }) => ({
      ...{ name, help, unit, better },
      tests: values.length,
      withoutValue: values.filter((value) => value === null).length,
    })),
  };
}
