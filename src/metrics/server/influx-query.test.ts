import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachedParser } from './influx-query.ts';

test('a query that is asked again is not parsed again, as long as few others came between', () => {
  const parse = cachedParser();
  const first = parse('SELECT v FROM m');
  for (let i = 0; i < 63; i++) parse(`SELECT v FROM m LIMIT ${i + 1}`);
  assert.equal(parse('SELECT v FROM m'), first);
  for (let i = 0; i < 64; i++) parse(`SELECT w FROM m LIMIT ${i + 1}`);
  assert.notEqual(parse('SELECT v FROM m'), first);
  assert.deepEqual(parse('SELECT v FROM m'), first);
});

test('what is wrong stays wrong, and long texts are not kept', () => {
  const parse = cachedParser();
  for (let i = 0; i < 2; i++) assert.throws(() => parse('SELEKT'), { code: 'QUERY_SYNTAX' });
  const long = `SELECT v FROM m WHERE t = '${'x'.repeat(3000)}'`;
  assert.notEqual(parse(long), parse(long));
});
