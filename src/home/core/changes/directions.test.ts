import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addEvent, type ChangeEvent, emptyLedger, isOpenUnknown, isRegression } from './change-ledger.ts';
import { directionText } from './direction.ts';
import { directionFinder } from './directions.ts';
import { ledgerLine, parseLedgerLine } from './ledger-line.ts';

const series = { kind: 'value', experiment: 'k6', path: ['http_reqs', 'rate'] } as const;

test('the last rule that matches counts, by the whole name or the path', () => {
  const rule = (pattern: string, better: 'lower' | 'higher' | 'none') => ({ pattern, better });
  const of = (...rules: readonly ReturnType<typeof rule>[]) =>
    directionText(directionFinder(rules)({ series, better: 'unknown', unit: '' }));
  assert.equal(of(), 'higher is better (inferred)');
  assert.equal(of(rule('k6/*/rate', 'lower')), 'lower is better');
  assert.equal(of(rule('http_reqs/*', 'lower'), rule('*', 'none')), 'no direction (declared)');
  assert.equal(of(rule('rate', 'lower')), 'higher is better (inferred)', 'not a part of the name');
});

test('a name that looks like a pattern is matched as it is', () => {
  const find = directionFinder([{ pattern: 'time[1]', better: 'lower' }]);
  const one = { kind: 'value', experiment: 'a', path: ['time[1]'] } as const;
  assert.deepEqual(find({ series: one, better: 'unknown', unit: '' }), {
    better: 'lower',
    betterFrom: 'declared',
  });
});

test('a change gets its direction later, and keeps it whoever reviewed it', () => {
  const change = {
    ...({ id: 'abc', series, unit: '', better: 'unknown', at: 5, runId: 'r5', before: 2, after: 1 } as const),
    shift: { difference: -1, low: -1.1, high: -0.9, level: 0.95 },
    ...({ p: 0, direction: 'unknown', isProvisional: false, detector: 'd' } as const),
  };
  const directed: ChangeEvent = {
    ...{ type: 'directed', at: 11, id: 'abc', better: 'higher', betterFrom: 'declared', direction: 'worse' },
  };
  const none: ChangeEvent = { ...directed, better: 'unknown', direction: 'unknown' };
  const ledger = emptyLedger();
  const now = () => ledger.changes.get('abc');
  addEvent(ledger, { type: 'found', at: 10, change });
  assert.equal(isOpenUnknown(now() ?? assert.fail()), true);
  addEvent(ledger, directed);
  assert.deepEqual(
    [now()?.better, now()?.betterFrom, isRegression(now() ?? assert.fail())],
    ['higher', 'declared', true],
  );
  addEvent(ledger, none);
  assert.equal(isOpenUnknown(now() ?? assert.fail()), false, 'it has none on purpose');
  for (const event of [directed, none]) assert.deepEqual(parseLedgerLine(ledgerLine(event)), event);
  assert.equal(
    parseLedgerLine('{"type":"directed","at":1,"id":"abc","better":"up","direction":"worse"}'),
    undefined,
  );
});
