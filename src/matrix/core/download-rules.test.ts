import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  caseFoldedName,
  createFileSelector,
  type DownloadRules,
  unsafeNameReason,
} from './download-rules.ts';

const rules: DownloadRules = {
  mode: 'important',
  cacheNames: ['cache.pickle'],
  importantFiles: ['.uuid', 'artifacts/a.json', 'logs/run*/out.txt', '*.csv'],
};
const literal = { ...rules, importantFiles: ['.uuid', 'artifacts/a.json', 'logs/run*/out.txt'] };

test('only folders are entered that can hold what is wanted', () => {
  const { wantsFolder } = createFileSelector(literal);
  const entered = ['artifacts', 'artifacts/deep', 'logs', 'logs/run1', 'logs/other', 'pods'].filter(
    (folder) => wantsFolder({ path: `t/${folder}`, test: 't' }),
  );
  assert.deepEqual(entered, ['artifacts', 'logs', 'logs/run1']);
  assert.ok(
    createFileSelector(rules).wantsFolder({ path: 't/pods', test: 't' }),
    'a star at the start matches anywhere',
  );
  assert.ok(wantsFolder({ path: 'pods' }), 'there may be tests below');
});

test('a star crosses folders, a name does not', () => {
  const { wantsFile } = createFileSelector(rules);
  for (const path of ['.uuid', 'logs/run1/deep/out.txt', 'x/y.csv', 'cache.pickle', 'settings.extra']) {
    assert.ok(wantsFile({ path: `t/${path}`, test: 't' }), path);
    assert.ok(wantsFile({ path, test: '' }), path);
  }
  for (const path of ['x/.uuid', 'x/exit_code', 'x/settings.yaml', 'x/cache.pickle', 'settingsfile']) {
    assert.ok(!wantsFile({ path: `t/${path}`, test: 't' }), path);
  }
});

test('a test directory is identified by its files or by the marker', () => {
  const isTest = (names: string[], marker?: string) =>
    createFileSelector({ ...rules, ...(marker !== undefined && { marker }) }).isTest(new Set(names));
  assert.ok(isTest(['exit_code']) && isTest(['settings']) && isTest(['settings.yaml']));
  assert.ok(!isTest(['settings.common.yaml']) && !isTest(['settings.yaml', 'skip']));
  assert.ok(isTest(['.mark'], '.mark') && !isTest(['settings.yaml'], '.mark'));
});

test('names are judged by what they would do to a disk', () => {
  for (const good of ['a', '...', 'ä'.repeat(127), '-rf', 'a b', '.hidden'])
    assert.equal(unsafeNameReason(good, ''), undefined);
  for (const bad of ['', '.', '..', 'a/b', 'a\\b', 'a\0', 'a\n', 'ä'.repeat(128), '.nightmark']) {
    assert.notEqual(unsafeNameReason(bad, ''), undefined, bad);
  }
  assert.match(unsafeNameReason('x', 'd/'.repeat(64)) ?? '', /deeper than 64/);
  assert.match(unsafeNameReason('x', 'd'.repeat(3000)) ?? '', /too long/);
  assert.equal(caseFoldedName('\u00c9A'), caseFoldedName('e\u0301a'));
});
