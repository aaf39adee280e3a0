import type { Payload } from '../../src/formats/core/kpi/kpi.ts';
import type { JsonObject } from '../../src/platform/core/text/json.ts';

/** A test as it is stored, with what a case says about it. */
export function storedTest(
  at: number,
  settings: JsonObject,
  { kpis, exitCode = 0 }: { readonly kpis: Readonly<Record<string, JsonObject>>; readonly exitCode?: number },
): Payload {
  const start = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString();
  const id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
  const metadata = { start, end: start, test_uuid: id, settings, exit_code: exitCode };
  return { metadata, results: {}, kpis };
}

export const throughput = (value: number | null): JsonObject => ({
  ...{ unit: 'req/s', help: 'Requests served per second', lower_better: false, value },
});

/**
 * Two models with 1 to 8 users, four repetitions each. More users serve more; m2 is twice as fast as m1. m2 was not
 * run with 8 users, one test of m1 with 1 user failed, and one of m2 with 1 user has no value.
 */
export function smallMatrix(): readonly Payload[] {
  const tests: Payload[] = [];
  for (const [place, model] of ['m1', 'm2'].entries()) {
    for (const users of [1, 2, 4, 8]) {
      for (let repetition = 0; repetition < 4; repetition++) {
        if (model === 'm2' && users === 8) continue;
        const value = 100 * users * (place + 1) + repetition;
        const isBare = model === 'm2' && users === 1 && repetition === 0;
        const isFailed = model === 'm1' && users === 1 && repetition === 0;
        const settings = { model, users, '@seed': repetition, tool: 'wrk', run_id: `r${repetition}` };
        const kpis = {
          throughput: throughput(isBare ? null : value),
          latency: {
            ...{ unit: 'ms list', help: '', lower_better: true },
            value: [users * 2, users * 2 + 1, users * 3],
          },
        };
        tests.push(storedTest(tests.length, settings, { kpis, exitCode: isFailed ? 3 : 0 }));
      }
    }
  }
  return tests;
}
