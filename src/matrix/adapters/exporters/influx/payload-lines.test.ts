import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payload } from '../../../../formats/core/kpi/kpi.ts';
import type { JsonObject } from '../../../../platform/core/text/json.ts';
import { joinPayloadFields, payloadFields, payloadLines } from './payload-lines.ts';

function linesOf(kpis: Record<string, JsonObject>): readonly string[] {
  const metadata = {
    start: '2024-01-10T10:00:00.000001',
    end: '',
    test_uuid: 'u',
    settings: {},
    exit_code: 3,
  };
  const lines = payloadLines({ metadata, results: {}, kpis } as Payload);
  assert.match(lines.at(-1) ?? '', /^nightmark_payload,test_uuid=u parts=1i,part_0="\{\\"metadata\\"/);
  return lines.slice(0, -1);
}

test('measurement, tags, fields and nanoseconds', () => {
  assert.deepEqual(
    linesOf({ speed: { value: 4, unit: 'req/s', model: 'm1', users: 4, run_id: 'left out' } }),
    ['speed,model=m1,test_uuid=u,users=4 value=4,exit_code=3i,unit="req/s" 1704880800000001000'],
  );
});

test('the time of the KPI counts before that of the test', () => {
  const [line] = linesOf({ speed: { value: 1.5, '@timestamp': '2024-01-10T12:00:00.000000+02:00' } });
  assert.equal(line, 'speed,test_uuid=u value=1.5,exit_code=3i 1704880800000000000');
});

test('blanks, commas, equal signs, quotes, backslashes and line breaks are escaped', () => {
  const [line] = linesOf({
    'a b,c=d': { value: 1, unit: 'a "b" \\', 'k =,': 'v =,\nw\\', none: null, empty: '' },
  });
  assert.equal(
    line,
    'a\\ b\\,c=d,k\\ \\=\\,=v\\ \\=\\,\\ w,test_uuid=u value=1,exit_code=3i,unit="a \\"b\\" \\\\" 1704880800000001000',
  );
});

test('a list has its mean, its count and all of it; no value is no point', () => {
  assert.deepEqual(linesOf({ samples: { value: [1, 2, 6] }, missing: { value: null } }), [
    'samples,test_uuid=u value=3,count=3i,values="[1,2,6]",exit_code=3i 1704880800000001000',
  ]);
});

test('a number that an old document has as text is a number', () => {
  assert.match(linesOf({ speed: { value: '12.5' } })[0] ?? '', / value=12\.5,/);
});

test('a payload of any length comes back equal, and no character is cut in two', () => {
  const payload = { text: `x${'\u{1f600}'.repeat(20_000)}`, lines: 'a\n"b"\\', none: null, number: 4 };
  const fields = payloadFields(payload);
  assert.ok(fields.length > 2);
  for (const [, text] of fields) assert.equal(Buffer.from(text).toString(), text);
  assert.deepEqual(joinPayloadFields({ parts: fields.length, ...Object.fromEntries(fields) }), payload);
});

test('a part that is missing is reported', () => {
  const fields = Object.fromEntries(payloadFields({ text: 'x'.repeat(40_000) }));
  assert.throws(() => joinPayloadFields({ ...fields, parts: 4 }), /part 4 of 4 is missing/);
  assert.throws(() => joinPayloadFields(fields), /number of parts is missing/);
});
