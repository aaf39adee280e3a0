import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentText, readDocument, siteFileName } from '../../../platform/core/site/site-files.ts';
import {
  isNamedByContent,
  listingPlace,
  listingText,
  placeOf,
  readListing,
  readRoot,
  rootText,
} from './site-map.ts';

const hash = '0123456789abcdef0123456789abcdef';

test('a place reports the content before the ending, unless the file is named', () => {
  const place = (path: string) => placeOf(path, { hash, isNamed: false });
  assert.equal(place('data/sort.js'), 'data/sort.0123456789abcdef.js');
  assert.equal(place('a.b/LICENSE'), 'a.b/LICENSE.0123456789abcdef');
  assert.equal(place('.hidden'), '.hidden.0123456789abcdef');
  assert.equal(placeOf('index.html', { hash, isNamed: true }), 'index.html');
  for (const path of ['data/sort.js', 'a.b/LICENSE']) assert.ok(isNamedByContent(place(path)));
  for (const path of ['index.html', 'site.js', 'CNAME', 'x.abc.js']) assert.ok(!isNamedByContent(path));
});

test('root and listings are read as they were written, and nothing else is', () => {
  const root = { folders: { '': hash, data: hash }, retired: ['data/x.js'] };
  assert.deepEqual(readRoot(rootText(root)), root);
  const listing = new Map([['a.js', { hash, size: 3, isNamed: true }]]);
  assert.deepEqual(readListing(listingText('data', listing)), listing);
  assert.equal(listingPlace('', hash), 'files~.0123456789abcdef.js');
  for (const text of ['', 'alert(1)', '{}', rootText(root).slice(0, -5), 'nightmarkDocument("x","1");\n']) {
    assert.equal(readRoot(text), undefined);
    assert.equal(readListing(text), undefined);
  }
});

test('a document is one call with two strings, whatever is in it', () => {
  const content = { '</script><script>alert(1)': '\u2028 " \\ \n', ['__proto__']: { polluted: 1 } };
  const text = documentText('a "path"', content);
  assert.doesNotMatch(text, /<|\u2028/);
  assert.deepEqual(readDocument(text), { path: 'a "path"', content });
  const heard: unknown[] = [];
  new Function('nightmarkDocument', text)((...told: unknown[]) => heard.push(...told));
  assert.deepEqual(heard, ['a "path"', JSON.stringify(content)]);
});

test('names become safe file names, and different ones stay different', () => {
  assert.equal(siteFileName('sort-10.v2'), 'sort-10.v2');
  const names = [
    'Sort',
    'sort',
    '..',
    '.',
    '_x',
    '~x',
    'a/b',
    'a b',
    'x'.repeat(300),
    'x'.repeat(301),
    '<script>',
    '\u202e',
    'CON',
  ];
  const files = names.map(siteFileName);
  assert.equal(new Set(files.map((file) => file.toLowerCase())).size, names.length);
  for (const file of files) assert.match(file, /^[a-z\d][a-z\d._~-]{0,80}$/);
});
