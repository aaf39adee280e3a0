import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Payload } from '../../src/formats/core/kpi/kpi.ts';

export const GOLDEN_LTS = 'test/golden/matrix/lts';

/** The history of payloads that the original left, in the order of their names. */
export function goldenPayloads(): readonly Payload[] {
  const names = readdirSync(GOLDEN_LTS).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(`${GOLDEN_LTS}/${name}`, 'utf8')) as Payload);
}

/** Any payloads at all, each with an id of its own; as a JSON file would give them. */
export function anyPayloads(): fc.Arbitrary<readonly Payload[]> {
  const name = fc.oneof(
    fc.constantFrom('version', 'model name', 'a,b', 'q"x', 'é', 'value'),
    fc.string({ minLength: 1, maxLength: 6 }),
  );
  const leaf = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
  );
  const value = fc.oneof(
    leaf,
    fc.array(fc.integer(), { maxLength: 3 }),
    fc.dictionary(name, leaf, { maxKeys: 2 }),
  );
  const labels = fc.dictionary(name, value, { maxKeys: 4 });
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(fc.integer(), { maxLength: 3 }),
    fc.constantFrom(null, undefined),
  );
  const kpi = fc.tuple(labels, number).map(([others, found]) => ({
    ...others,
    unit: 's',
    help: 'a "text",\nof two lines',
    ...(found !== undefined && { value: found }),
  }));
  const payload = fc.record({
    metadata: fc.tuple(labels, labels, fc.uuid({ version: 4 })).map(([others, settings, id]) => ({
      ...{ ...others, start: '2024-01-10T10:00:00', end: '2024-01-10T10:05:00', exit_code: 0 },
      ...{ settings, test_uuid: id },
    })),
    results: value,
    kpis: fc.dictionary(name, kpi, { maxKeys: 3 }),
  });
  const many = fc.uniqueArray(payload, {
    minLength: 1,
    maxLength: 4,
    selector: ({ metadata }) => metadata.test_uuid,
  });
  // As read from a file: -0 is 0 there.
  return many.map((payloads) => JSON.parse(JSON.stringify(payloads)) as readonly Payload[]);
}
