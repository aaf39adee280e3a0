import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlotQuery } from './plot-query.ts';

test('reads the address of the explorer', () => {
  const query = parsePlotQuery(
    '?stats=report:+KPI%20Table&stats=lines&stats=lines&model=m1&users=---&model=m2&settings-order=users|model&cfg=kpi=a=b&cfg=n=12',
  );
  assert.deepEqual(query.stats, ['report: KPI Table', 'lines']);
  assert.deepEqual(
    [...query.settings],
    [
      ['model', ['m1', 'm2']],
      ['users', ['---']],
    ],
  );
  assert.deepEqual(query.order, ['users', 'model']);
  assert.deepEqual(query.cfg, { kpi: 'a=b', n: 12 });
});

test('an escape that is none stays as it is, and an escaped "&" is part of a value', () => {
  assert.deepEqual(parsePlotQuery('stats=100%&stats=%ff&stats=a%26b%3Dc').stats, ['100%', '%ff', 'a&b=c']);
});

test('"key=" takes a configuration away again, and "__proto__" is a key', () => {
  const { cfg } = parsePlotQuery('cfg=a=1&cfg=a=&cfg=__proto__=2&cfg=long=12345678901234567890');
  assert.deepEqual(Object.entries(cfg), [
    ['__proto__', 2],
    ['long', '12345678901234567890'],
  ]);
});

test('says which part is not key=value', () => {
  assert.throws(() => parsePlotQuery('stats=a&b'), { code: 'MATRIX_BAD_QUERY', message: /"b" of the query/ });
  assert.throws(() => parsePlotQuery('cfg=b'), { code: 'MATRIX_BAD_QUERY' });
});
