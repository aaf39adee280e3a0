import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeWireHeader, encodeWireSeries } from '../core/points/columns-wire.ts';
import { toHistory } from './explorer-data.ts';
import { chosenSeries, type PointListing, readPointChoice, tagChoices } from './point-choice.ts';

const series = [
  { measurement: 'cpu', tags: { host: 'b', job: '10' }, fields: { text: 'string', busy: 'float' } },
  { measurement: 'cpu', tags: { host: 'a', job: '7' }, fields: { busy: 'float', value: 'integer' } },
];
const listing: PointListing = {
  matched: { measurements: 1, series: 2 },
  measurements: [
    { measurement: 'cpu', series: 2, fields: ['busy', 'text', 'value'], tagKeys: ['host', 'job'] },
  ],
  series,
};

test('where the address is silent the first measurement with its field "value" is shown', () => {
  const choice = readPointChoice(new URLSearchParams(), 'db', listing, listing);
  assert.deepEqual(choice, {
    database: 'db',
    measurement: 'cpu',
    field: 'value',
    fields: ['busy', 'value'],
    tags: [],
  });
  assert.equal(readPointChoice(new URLSearchParams('m=gone'), 'db', listing, listing), undefined);
});

test('tags of the address choose series, and others stay to be chosen', () => {
  const choice = readPointChoice(new URLSearchParams('f=busy&tag=host=a'), 'db', listing, listing);
  assert.ok(choice);
  assert.equal(chosenSeries(series, choice).length, 1);
  assert.deepEqual(tagChoices(series, choice), [['host', ['a', 'b']]]);
  assert.deepEqual(tagChoices(series, { field: 'busy', tags: [] }), [
    ['host', ['a', 'b']],
    ['job', ['7', '10']],
  ]);
});

test('buckets become a line up and down, values a line as they are', () => {
  const name = { measurement: 'cpu', field: 'busy', type: 'float' } as const;
  const answer = (kind: 'buckets' | 'points', all: readonly (readonly number[][])[]) => {
    const header = { kind, series: all.length, fromMs: 0, toMs: 1000, buckets: kind === 'buckets' ? 100 : 0 };
    const parts = [
      encodeWireHeader(header),
      ...all.map((columns, place) =>
        encodeWireSeries({
          ...{ ...name, tags: { host: `h${place}`, same: 'x' } },
          columns: columns.map((one) => Float64Array.from(one)),
        }),
      ),
    ];
    return Uint8Array.from(parts.flatMap((part) => [...part]));
  };
  const buckets = toHistory(
    answer('buckets', [
      [
        [0, 10, 900],
        [1, 2, 3],
        [5, 6, 7],
        [10, 20, 30],
      ],
    ]),
  );
  assert.deepEqual(buckets.lines[0]?.times, [0, 5, 10, 15, 20, 900, 905]);
  assert.deepEqual(buckets.lines[0]?.values, [1, 5, 2, 6, Number.NaN, 3, 7]);
  assert.deepEqual([buckets.points, buckets.isExact, buckets.lines[0]?.name], [60, false, 'all']);
  const exact = toHistory(
    answer('points', [
      [
        [1, 2],
        [3, 4],
      ],
      [[1], [5]],
      [[], []],
    ]),
  );
  assert.deepEqual([exact.points, exact.count, exact.hidden, exact.isExact], [3, 2, 0, true]);
  assert.equal(exact.lines[0]?.name, 'host=h0');
});
