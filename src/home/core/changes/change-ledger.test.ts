import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeId, seriesKey, seriesText } from './change.ts';
import { addEvent, type ChangeEvent, emptyLedger, type Sighting } from './change-ledger.ts';
import { ledgerLine, parseLedgerLine } from './ledger-line.ts';

const series = { kind: 'value', experiment: 'sort', path: ['cpu', 'A'] } as const;
const change: Sighting = {
  ...{ id: 'abc', series, unit: 's', better: 'lower', at: 5, runId: 'r5', before: 1, after: 2 },
  shift: { difference: 1, low: 0.9, high: 1.1, level: 0.95, relative: { change: 1, low: 0.9, high: 1.1 } },
  ...{ p: 1e-9, direction: 'worse', isProvisional: true, detector: 'nightmark-1' },
};
const found: ChangeEvent = { type: 'found', at: 10, change };

const machine = { kind: 'machine', machine: 'bench-1', measure: 'speed' } as const;
const duet = (state: 'confirmed' | 'withdrawn' | 'unclear'): ChangeEvent => ({
  ...{ type: 'duet', at: 13, id: 'abc', state, source: 'lib', before: 'aaa', after: 'bbb', pairs: 12 },
  effect: { ratio: 1.2, low: 1.1, high: 1.3 },
});

function ledgerOf(...events: readonly ChangeEvent[]) {
  const ledger = emptyLedger();
  for (const event of events) addEvent(ledger, event);
  return ledger;
}

test('every event comes back from its line', () => {
  const events: readonly ChangeEvent[] = [
    found,
    { type: 'confirmed', at: 11, change: { ...change, isProvisional: false } },
    { type: 'withdrawn', at: 12, id: 'abc', reason: 'gone' },
    { type: 'triaged', at: 13, id: 'abc', state: 'expected', note: 'a "note"\n', author: 'me' },
    { type: 'explained', at: 13, id: 'abc', runId: 'r5', sentence: 'kernel 6.1 -> 6.5\u202e' },
    duet('confirmed'),
    { type: 'found', at: 14, change: { ...change, series: machine, moved: 30 } },
    { type: 'missing', at: 14, series, lastAt: 3, lastRunId: 'r3' },
    { type: 'returned', at: 15, series: { kind: 'kpi', name: 'k', labels: { a: 1 } } },
    { type: 'judged', at: 16, detector: 'd', series: 3, until: { run: 'r5', payloadAt: 0 } },
  ];
  for (const event of events) assert.deepEqual(parseLedgerLine(ledgerLine(event)), event);
});

test('an interval without ends keeps that it has none', () => {
  const shift = { ...change.shift, low: -Infinity, high: Infinity };
  const event = { ...found, change: { ...change, shift } } as const;
  assert.deepEqual(parseLedgerLine(ledgerLine(event)), event);
});

test('what is no event is undefined, whatever it is', () => {
  const bad = { ...change, shift: { difference: 'x' } };
  const texts = ['', '{"type":"found"', 'null', '[]', '{"at":1}', '{"type":"later","at":1}'];
  for (const text of texts) assert.equal(parseLedgerLine(text), undefined, text);
  assert.equal(parseLedgerLine(JSON.stringify({ type: 'found', at: 1, change: bad })), undefined);
  assert.equal(parseLedgerLine('{"type":"triaged","at":1,"id":"abc","state":"sold"}'), undefined);
});

test('a change is withdrawn while nobody has spoken, and not after', () => {
  const withdrawn: ChangeEvent = { type: 'withdrawn', at: 20, id: 'abc', reason: '' };
  assert.equal(ledgerOf(found, withdrawn).changes.get('abc')?.withdrawnAt, 20);
  const triaged: ChangeEvent = { type: 'triaged', at: 15, id: 'abc', state: 'confirmed' };
  assert.equal(ledgerOf(found, triaged, withdrawn).changes.get('abc')?.withdrawnAt, undefined);
  assert.equal(ledgerOf(found, withdrawn, { ...found, at: 30 }).changes.get('abc')?.withdrawnAt, undefined);
});

test('what people said stays when a detector sees the change otherwise', () => {
  const triaged: ChangeEvent = {
    type: 'triaged',
    at: 15,
    id: 'abc',
    state: 'expected',
    note: 'n',
    author: 'me',
  };
  const moved: ChangeEvent = { type: 'moved', at: 16, change: { ...change, runId: 'r6', at: 6 } };
  const known = ledgerOf(found, triaged, moved).changes.get('abc');
  assert.deepEqual(
    [known?.state, known?.note, known?.author, known?.triagedAt, known?.runId, known?.foundAt],
    ['expected', 'n', 'me', 15, 'r6', 10],
  );
  const back = ledgerOf(found, triaged, { type: 'triaged', at: 17, id: 'abc', state: 'new' }).changes.get(
    'abc',
  );
  assert.deepEqual([back?.state, back?.note], ['new', undefined]);
});

test('a word on an unknown change is passed over', () => {
  assert.equal(ledgerOf({ type: 'triaged', at: 1, id: 'zzz', state: 'false' }).changes.size, 0);
});

test('an id is short, the same everywhere, and longer where it is taken', () => {
  const id = changeId(series, 'r5', () => false);
  assert.match(id, /^[0-9a-z]{7}$/);
  assert.equal(
    changeId({ ...series }, 'r5', () => false),
    id,
  );
  assert.notEqual(
    changeId(series, 'r6', () => false),
    id,
  );
  const longer = changeId(series, 'r5', (taken) => taken === id);
  assert.deepEqual([longer.length, longer.startsWith(id)], [8, true]);
});

test('the order of labels does not matter, and no two series have one key', () => {
  const kpi = (labels: Record<string, number>) => ({ kind: 'kpi', name: 'k', labels }) as const;
  assert.equal(seriesKey(kpi({ a: 1, b: 2 })), seriesKey(kpi({ b: 2, a: 1 })));
  assert.notEqual(seriesKey({ ...series, path: ['cpu,A'] }), seriesKey(series));
  assert.deepEqual([seriesText(series), seriesText(kpi({ a: 1 }))], ['sort/cpu/A', 'k{a=1}']);
});

test('an explanation holds for its place, and is asked for anew when the change is certain', () => {
  const told: ChangeEvent = { type: 'explained', at: 11, id: 'abc', runId: 'r5', sentence: 'kernel' };
  const of = (...events: readonly ChangeEvent[]) =>
    ledgerOf(found, ...events).changes.get('abc')?.explanation;
  assert.equal(of(told), 'kernel');
  assert.equal(of({ ...told, runId: 'r4' }), undefined, 'of another place');
  assert.equal(of(told, { type: 'moved', at: 12, change }), 'kernel');
  assert.equal(of(told, { type: 'moved', at: 12, change: { ...change, runId: 'r4' } }), undefined);
  assert.equal(
    of(told, { type: 'confirmed', at: 12, change: { ...change, isProvisional: false } }),
    undefined,
  );
});

test('a duet makes a young change certain or takes it back; one of many values stays', () => {
  const of = (...events: readonly ChangeEvent[]) => ledgerOf(found, ...events).changes.get('abc');
  const sure = of(duet('confirmed'), { type: 'moved', at: 14, change });
  assert.deepEqual([sure?.isProvisional, sure?.duet?.pairs], [false, 12]);
  assert.equal(of(duet('withdrawn'))?.withdrawnAt, 13);
  assert.equal(of(duet('unclear'))?.withdrawnAt, undefined);
  const old: ChangeEvent = { type: 'confirmed', at: 12, change: { ...change, isProvisional: false } };
  assert.equal(of(old, duet('withdrawn'))?.withdrawnAt, undefined);
  assert.equal(parseLedgerLine('{"type":"duet","at":1,"id":"a","state":"sold"}'), undefined);
});

test('what a change returns to comes back from its line, and its commit holds for that place', () => {
  const returns = { kind: 'back', runId: 'r1' } as const;
  const back: ChangeEvent = { type: 'found', at: 10, change: { ...change, returns, sureRunId: 'r6' } };
  const commits: ChangeEvent = {
    ...{ type: 'commits', at: 11, id: 'abc', runId: 'r5', sources: [], returnedCommit: 'aaa' },
  };
  for (const event of [back, commits]) assert.deepEqual(parseLedgerLine(ledgerLine(event)), event);
  const odd = ledgerLine(back).replace('"back"', '"away"');
  assert.deepEqual(parseLedgerLine(odd), { ...found, change: { ...change, sureRunId: 'r6' } });
  const of = (...events: readonly ChangeEvent[]) => ledgerOf(back, commits, ...events).changes.get('abc');
  assert.deepEqual([of()?.returns, of()?.returnedCommit], [returns, 'aaa']);
  const elsewhere = of({ type: 'moved', at: 12, change });
  assert.deepEqual([elsewhere?.returns, elsewhere?.returnedCommit], [undefined, undefined]);
});
