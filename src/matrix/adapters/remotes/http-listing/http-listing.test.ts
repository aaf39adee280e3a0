import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readHtmlListing, readJsonListing } from './http-listing.ts';

const base = new URL('https://server.example/a/b/');
const short = (html: string, at = base) =>
  readHtmlListing(html, at)?.map(({ name, type, href }) => `${type} ${name}${href ? ` ${href.href}` : ''}`);

test('nginx', () => {
  const html = `<html>\r\n<head><title>Index of /a/b/</title></head>\r\n<body>\r\n<h1>Index of /a/b/</h1><hr><pre><a href="../">../</a>
<a href="000__m1_4/">000__m1_4/</a>                  01-Sep-2024 10:00       -
<a href="with%20space%20%26%20more.txt">with space &amp; more.txt</a>    01-Sep-2024 10:00      12
</pre><hr></body></html>`;
  assert.deepEqual(short(html), ['folder 000__m1_4', 'file with space & more.txt']);
});

test('a recorded nginx 1.22 says the same as HTML and as JSON; the name with a dot is in neither', () => {
  const recorded = (kind: string) =>
    readFileSync(`src/matrix/adapters/remotes/http-listing/fixtures/nginx-1.22.${kind}`, 'utf8');
  const at = new URL('http://127.0.0.1/odd%20&%20names/');
  const long = `${'long'.repeat(30)}.log`;
  const files = ['#hash', '<b>', 'a b&c', "it's", long, 'q?x', 'é+%.txt'].map((name) => `file ${name}`);
  assert.deepEqual(short(recorded('html'), at), ['folder sub', ...files]);
  const json = readJsonListing(recorded('json'))?.map(({ name, type }) => `${type} ${name}`);
  assert.deepEqual(json, ['folder sub', ...files]);
});

test('Apache, with its columns to sort by', () => {
  const html = `<title>Index of /a/b</title><table><tr><th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a></th></tr>
<tr><td><img src="/icons/back.gif" alt="[PARENTDIR]"></td><td><a href="/a/">Parent Directory</a></td></tr>
<tr><td><img src="/icons/folder.gif" alt="[DIR]"></td><td><a href="runs/">runs/</a></td><td align="right">2024-09-01 10:00</td></tr>
<tr><td><img src="/icons/unknown.gif" alt="[   ]"></td><td><a href="exit_code">exit_code</a></td><td align="right">1.2K</td></tr></table>`;
  assert.deepEqual(short(html), ['folder runs', 'file exit_code']);
});

test('gcsweb: folders by their icons, files that lie in the bucket', () => {
  const html = `<title>GCS browser: logs</title><ul><li class="pure-g"><a href="/gcs/logs/"><img src="/icons/back.png"> ..</a></li>
<li><a href="/gcs/logs/job/artifacts/"><img src="/icons/dir.png"> artifacts/</a></li>
<li><a href="https://storage.googleapis.com/logs/job/settings.yaml"><img src="/icons/file.png"> settings.yaml</a></li>
<li><a href="/gcs/logs/job/exit_code"><img src="/icons/file.png"> exit_code</a></li>
<li><a href="https://elsewhere.example/">about</a></li></ul>`;
  assert.deepEqual(short(html, new URL('https://gcsweb.example/gcs/logs/job/')), [
    'folder artifacts',
    'file settings.yaml https://storage.googleapis.com/logs/job/settings.yaml',
    'file exit_code',
  ]);
});

test('an empty folder is a listing, another page is none', () => {
  assert.deepEqual(short('<title>Directory listing for /a/b/</title><ul></ul>'), []);
  assert.equal(
    short('<title>Sign in</title><form></form><a href="https://help.example/">Help</a>'),
    undefined,
  );
});

test('links that lead elsewhere are not entries; encoded slashes are passed on to be checked', () => {
  const links = [
    '../x',
    '/etc/passwd',
    '..%2fx',
    '%2e%2e/x',
    '//evil.example/x',
    'https://evil.example/a/b/x',
    'a/../../x',
    'c/d',
    'n%00l',
    'javascript:x',
    'bad%ff',
  ];
  const html = links.map((link) => `<a href="${link}">x</a>`).join('\n');
  assert.deepEqual(short(html), ['file ../x', 'file n\0l', 'file bad%ff']);
});

test('a page of a hundred thousand broken links is read in no time worth speaking of', () => {
  assert.equal(readHtmlListing(`<title>Index of</title>${'<a href="'.repeat(100_000)}`, base)?.length, 0);
});

test('nginx as JSON has sizes', () => {
  const text = `[
{ "name":"runs", "type":"directory", "mtime":"Sun, 01 Sep 2024 10:00:00 GMT" },
{ "name":"exit_code", "type":"file", "mtime":"Sun, 01 Sep 2024 10:00:00 GMT", "size":2 }
]`;
  assert.deepEqual(readJsonListing(text), [
    { name: 'runs', type: 'folder' },
    { name: 'exit_code', type: 'file', size: 2 },
  ]);
  for (const other of ['{}', '[1]', '[{"name": 1, "type": "file"}]', 'no'])
    assert.equal(readJsonListing(other), undefined);
});
