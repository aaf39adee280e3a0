import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  identityOf,
  keyText,
  type MatrixEntry,
  type SettingList,
  type Settings,
} from '../../src/formats/core/kpi/matrix-entry.ts';
import { parseFilters, passesFilters } from '../../src/matrix/core/filters.ts';
import { buildMatrix, type Matrix } from '../../src/matrix/core/matrix.ts';
import {
  allRecords,
  countRecords,
  entryName,
  filterRecords,
  getRecord,
  similarRecords,
} from '../../src/matrix/core/records.ts';

const read = (name: string) => JSON.parse(readFileSync(`test/golden/matrix/expected/${name}.json`, 'utf8'));
const misc = read('misc_cases');
const emptyLists = read('all_records_empty_lists');

const entry = (settings: Settings): MatrixEntry => ({
  ...{ location: 'somewhere', settings, importSettings: settings, exitCode: 0, results: {}, problems: [] },
});
const grid = (keys: readonly object[]) =>
  keys.flatMap((more) =>
    ['m1', 'm2'].flatMap((model) => [4, 16].map((users) => entry({ model, users, ...more }))),
  );
const axis = (key: string, ...values: readonly (string | number)[]): SettingList =>
  values.map((value) => [key, value]);
const names = (matrix: Matrix, entries: Iterable<MatrixEntry>, keys: readonly string[]) =>
  [...entries].map((it) => entryName(it, keys, matrix));

const rolling = buildMatrix([...grid([{ '@run': 1 }, { '@run': 2 }]), entry({ model: 'm3', other: 1 })]);
const plain = buildMatrix(grid([{}]));

test('keys, and filters as the original reads them', () => {
  assert.equal(keyText({ b: 'x', a: 4 }), misc['matrixkey_str']);
  assert.equal(keyText({ a: 4 }) === keyText({ a: '4' }), misc['matrixkey_int_vs_str_same']);
  assert.notEqual(identityOf({ a: 4 }), identityOf({ a: '4' }));
  for (const name of Object.keys(misc).filter((key) => /^filter \w+=/.test(key))) {
    assert.deepEqual(Object.fromEntries(parseFilters(name.slice('filter '.length))), misc[name], name);
  }
  // Recorded as "is left out".
  assert.equal(!passesFilters({ a: 1 }, parseFilters('a=1'), true), misc['filter int match']);
  assert.equal(!passesFilters({}, parseFilters('a=1'), true), misc['filter missing key kept']);
  assert.equal(!passesFilters({ a: true }, parseFilters('a=true'), true), misc["filter bool True vs 'true'"]);
});

test('settings with all their values, null where an entry has none', () => {
  const texts = (key: string) =>
    (rolling.settings.get(key) ?? []).map((value) => (value === null ? 'None' : String(value)));
  for (const [key, values] of Object.entries<string[]>(misc['settings'])) {
    assert.deepEqual(texts(key).sort(), [...values].sort(), key);
  }
  assert.deepEqual(texts('users'), ['4', '16', 'None']);
});

test('gathered entries, hidden unless asked for', () => {
  assert.equal(countRecords(rolling), misc['count_all']);
  assert.equal(rolling.entries.length + rolling.gathered.length, misc['processed_map']);
  const found = rolling.gathered.map(({ settings, gathered }) => [settings, gathered?.members.length]);
  assert.deepEqual(found, misc['gathered']);
  assert.deepEqual(rolling.gathered[0]?.gathered?.keys, { '@run': [1, 2] });
  assert.equal(rolling.gathered[0]?.gathered?.members[0]?.settings['other'], null);
  const query = {
    settings: { users: 4, '@run': '<all>', other: null },
    lists: [axis('model', 'm1', 'm2')],
  };
  const gathered = allRecords(rolling, query, { isGathered: true });
  assert.deepEqual(names(rolling, gathered, ['model']), misc['all_records gathered via settings']);
  assert.deepEqual([...allRecords(rolling, query)], misc['all_records non gathered flag hides']);
});

test('the last axis runs fastest, points without an entry are skipped, and the question stays as it was', () => {
  const settings = { model: 'zz', '@run': 1, other: null };
  const lists = [axis('users', 4, 16), axis('model', 'm1', 'm2', 'zz')];
  const found = allRecords(rolling, { settings, lists });
  assert.deepEqual(names(rolling, found, ['model', 'users']), misc['all_records order']);
  assert.deepEqual(settings, { model: 'zz', '@run': 1, other: null });
  const third = rolling.entries.at(-1) as MatrixEntry;
  assert.equal(entryName(third, ['model', 'users'], rolling), misc['get_name with missing']);
});

test('fixed settings without an axis give that record; the original gives all', () => {
  const query = { settings: { model: 'm1', users: 4 }, lists: [] };
  const compat = allRecords(plain, query, { isCompat: true });
  const keys = ['model', 'users'];
  assert.deepEqual(names(plain, compat, keys), emptyLists['fixed settings + empty lists']);
  assert.equal(countRecords(plain, query, { isCompat: true }), emptyLists['count(settings, [])']);
  assert.deepEqual(names(plain, allRecords(plain, query), keys), ['model=m1, users=4']);
  const oneAxis = { settings: { model: 'm1' }, lists: [axis('users', 4, 16)] };
  assert.deepEqual(names(plain, allRecords(plain, oneAxis), keys), emptyLists['fixed one + one list']);
});

test('records are found by text where no other type is there, by a part of their settings, and by likeness', () => {
  assert.equal(getRecord(plain, { model: 'm1', users: '4' })?.settings['users'], 4);
  assert.equal(getRecord(plain, { model: 'm1' }), undefined);
  const typed = buildMatrix([entry({ a: 4 }), entry({ a: '4' })]);
  assert.equal(getRecord(typed, { a: '4' })?.settings['a'], '4');
  assert.equal([...filterRecords(plain, { model: 'm1' })].length, 2);
  const reference = { model: 'm1', users: 4, run_id: 'x', urls: 'y' };
  assert.equal([...similarRecords(plain, reference)].length, 1);
  assert.equal([...similarRecords(plain, reference, { ignoredKeys: ['users'] })].length, 2);
});

test('100 tests in 20 groups are 120 entries, 410 in 87 are 497', () => {
  const gather = (count: number, groups: number) => {
    const matrix = buildMatrix(
      Array.from({ length: count }, (_, at) => entry({ g: at % groups, '@n': Math.floor(at / groups) })),
    );
    return matrix.entries.length + matrix.gathered.length;
  };
  assert.equal(gather(100, 20), 120);
  assert.equal(gather(410, 87), 497);
});
