import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Payload } from '../../src/formats/core/kpi/kpi.ts';
import { compatText } from '../../src/formats/core/kpi/kpi-text.ts';
import { makePayload } from '../../src/formats/core/kpi/make-payload.ts';
import type { MatrixEntry } from '../../src/formats/core/kpi/matrix-entry.ts';
import { payloadSchema } from '../../src/formats/core/kpi/payload-shape.ts';
import { payloadCheck } from '../../src/formats/core/kpi/validate-payload.ts';
import type { JsonObject, JsonValue } from '../../src/platform/core/text/json.ts';
import tinyKpis from '../support/tiny-kpis.ts';

const expected = 'test/golden/matrix/expected';
const golden = JSON.parse(readFileSync(`${expected}/lts_payload.json`, 'utf8')) as Payload[];
const cases = JSON.parse(readFileSync(`${expected}/validation_cases.json`, 'utf8')) as {
  readonly name: string;
  readonly result: 'valid' | { readonly loc: string }[];
}[];

/** What each row of the table does to a good payload. */
// biome-ignore lint/suspicious/noExplicitAny: a broken document has no type
type Loose = Record<string, any>;
const changes: Record<string, (payload: Loose) => void> = {
  unchanged: () => undefined,
  'extra field in results': ({ results }) => (results.zzz = 1),
  'missing result field': ({ results }) => delete results.throughput,
  'missing kpi': ({ kpis }) => delete kpis.tiny_memory,
  'extra kpi': ({ kpis }) => (kpis.other = kpis.tiny_memory),
  'kpi value null': ({ kpis }) => (kpis.tiny_memory.value = null),
  'kpi value string number': ({ kpis }) => (kpis.tiny_memory.value = '12.5'),
  'kpi value list of int': ({ kpis }) => (kpis.tiny_memory.value = [1, 2]),
  'kpi value bool': ({ kpis }) => (kpis.tiny_memory.value = true),
  'kpi without @timestamp': ({ kpis }) => delete kpis.tiny_memory['@timestamp'],
  'kpi label missing': ({ kpis }) => delete kpis.tiny_memory.model_name,
  'semver two parts': ({ metadata }) => (metadata.settings.version = '1.13'),
  'semver prerelease+build': ({ metadata }) => (metadata.settings.version = '2.13.0-rc1+2024-09-02'),
  'semver leading zero': ({ metadata }) => (metadata.settings.version = '1.02.0'),
  'uuid not v4': ({ metadata }) => (metadata.test_uuid = '00000000-0000-1000-8000-00000000abc0'),
  'start missing': ({ metadata }) => delete metadata.start,
  'status invalid enum': ({ metadata }) => (metadata.status = 'Broken'),
  'status Invalid': ({ metadata }) => (metadata.status = 'Invalid'),
  'int label as string': ({ metadata }) => (metadata.settings.virtual_users = '4'),
  'float for int label 4.7': ({ metadata }) => (metadata.settings.virtual_users = 4.7),
  'int for str label': ({ metadata }) => (metadata.settings.model_name = 4),
  'urls dict at kpi ok, metadata.urls dict': ({ metadata }) => (metadata.urls = { SRC: 'http://x' }),
};

function changed(name: string): JsonValue {
  const payload = structuredClone(golden[0]) as unknown as Loose;
  const change = changes[name];
  assert.ok(change, `no change for "${name}"`);
  change(payload);
  return payload as JsonValue;
}

test('there are the 22 rows of the specification', () => assert.equal(cases.length, 22));

for (const { name, result } of cases) {
  test(`a payload is judged as the specification says: ${name}`, () => {
    const problems = payloadCheck(tinyKpis)(changed(name));
    assert.deepEqual(
      problems.map(({ place }) => place),
      result === 'valid' ? [] : result.map(({ loc }) => loc),
    );
  });
}

test('strict numbers refuse what the old stores convert', () => {
  const check = payloadCheck(tinyKpis, 'strict');
  const refused = cases.flatMap(({ name, result }) =>
    result === 'valid'
      ? check(changed(name)).map(({ place, message }) => `${name}: ${place} ${message}`)
      : [],
  );
  assert.deepEqual(refused, [
    'kpi value string number: kpis.tiny_memory.value must be a number or a list of numbers, is "12.5"',
    'kpi value bool: kpis.tiny_memory.value must be a number or a list of numbers, is true',
    'int label as string: metadata.settings.virtual_users must be a whole number, is "4"',
    'float for int label 4.7: metadata.settings.virtual_users must be a whole number, is 4.7',
    'int for str label: metadata.settings.model_name must be a text, is 4',
  ]);
});

test('everything that is wrong is reported at once, and hostile names are only names', () => {
  const payload = JSON.parse(
    '{"metadata": 3, "results": {"__proto__": 1, "constructor": 2}, "kpis": []}',
  ) as JsonValue;
  const places = payloadCheck(tinyKpis)(payload).map(({ place }) => place);
  assert.deepEqual(places, [
    ...['metadata', 'results.throughput', 'results.memory_mb', 'results.samples'],
    ...['results.__proto__', 'results.constructor', 'kpis'],
  ]);
});

test('what a workload does not declare is not checked', () => {
  const { payload: rules, ...rest } = tinyKpis;
  assert.ok(rules);
  const { metadataTypes: _, ...others } = rules;
  const open = { ...rest, payload: { ...others, labelTypes: {}, resultTypes: {} } };
  const payload = changed('extra field in results') as Loose;
  payload['metadata'].presets = ['a'];
  payload['metadata'].settings.more = [1];
  assert.deepEqual(payloadCheck(open)(payload as JsonValue), []);
});

test('the schema is the one of the original', () => {
  const schema = JSON.parse(readFileSync(`${expected}/lts_payload.schema.json`, 'utf8')) as JsonObject;
  assert.deepEqual(withSortedRequired(payloadSchema(tinyKpis)), withSortedRequired(schema));
});

/** The order in which required fields are listed means nothing. */
function withSortedRequired(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withSortedRequired);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      key === 'required' ? [...(field as string[])].sort() : withSortedRequired(field as JsonValue),
    ]),
  );
}

const entry: MatrixEntry = {
  location: 'expe/000__m1_4',
  settings: { version: '1.13.0', model_name: 'm1', virtual_users: 4 },
  importSettings: {},
  exitCode: 0,
  results: {
    test_uuid: '00000000-0000-4000-8000-00000000abc0',
    data: {
      ...{ start: '2024-09-02T10:00:00', end: '2024-09-02T10:05:00', run_id: 'run-0' },
      ...{ throughput: 100, memory_mb: 2048, samples: [1, 2, 3.5] },
    },
  },
  problems: [],
};

test('a payload has the fields and values of the original', () => {
  const { payload, values } = makePayload(entry, tinyKpis.kpis, rulesOfTiny());
  assert.deepEqual(payload, golden[0]);
  assert.deepEqual(
    values.map(({ definition, value, at, testId }) => [definition.name, value, at, testId]),
    [
      ['tiny_throughput', 100, 1_725_271_200_000, '00000000-0000-4000-8000-00000000abc0'],
      ['tiny_memory', 2048, 1_725_271_200_000, '00000000-0000-4000-8000-00000000abc0'],
      ['tiny_samples', [1, 2, 3.5], 1_725_271_200_000, '00000000-0000-4000-8000-00000000abc0'],
    ],
  );
});

test('a KPI that throws, or is not a number, has no value and says why', () => {
  const results = { ...entry.results, data: { ...(entry.results['data'] as JsonObject), memory_mb: null } };
  const strange = { ...tinyKpis.kpis[0], value: () => Number.POSITIVE_INFINITY } as (typeof tinyKpis.kpis)[0];
  const { payload, values } = makePayload(
    { ...entry, exitCode: 3, results },
    [...tinyKpis.kpis.slice(1), strange],
    rulesOfTiny(),
  );
  assert.equal(payload.metadata.exit_code, 3);
  assert.deepEqual(
    values.map(({ value, problem }) => [value, problem]),
    [
      [null, 'tiny_memory: there is no memory_mb'],
      [[1, 2, 3.5], undefined],
      [null, 'tiny_throughput is not a number: Infinity'],
    ],
  );
});

test('the text of the original can still be had', () => {
  assert.equal(compatText(golden[0] as Payload), readFileSync(`${expected}/openmetrics_tostr.txt`, 'utf8'));
});

function rulesOfTiny() {
  assert.ok(tinyKpis.payload);
  return tinyKpis.payload;
}
