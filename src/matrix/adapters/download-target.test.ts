import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDownloadTarget } from './download-target.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-download-'));
after(() => rmSync(folder, { recursive: true }));
const bytes = (text: string) => new TextEncoder().encode(text);

const newDir = () => mkdtempSync(join(folder, 'd-'));

test('writes through no link and over no folder', async () => {
  const dir = newDir();
  const outside = newDir();
  symlinkSync(outside, join(dir, 'link'));
  symlinkSync(join(outside, 'new'), join(dir, 'dangling'));
  mkdirSync(join(dir, 'folder'));
  writeFileSync(join(dir, 'file'), '');
  const target = openDownloadTarget(dir);
  for (const path of ['link/x', 'link', 'dangling', 'folder', 'file/x', 'link/deep/x']) {
    const blocked = { code: 'DOWNLOAD_BLOCKED' };
    await assert.rejects(target.openPart(path), blocked, path);
    await assert.rejects(target.writeText(path, 'x'), blocked, path);
    await assert.rejects(target.sizeOf(path), blocked, path);
  }
  assert.deepEqual(readdirSync(outside), []);
});

test('refuses a link that was made while the file was downloaded', async () => {
  const dir = newDir();
  const outside = newDir();
  const part = await openDownloadTarget(dir).openPart('a/x');
  await part.restart('t');
  await part.append(bytes('x'));
  rmSync(join(dir, 'a'), { recursive: true });
  symlinkSync(outside, join(dir, 'a'));
  await assert.rejects(part.finish(), { code: 'DOWNLOAD_BLOCKED' });
  await part.close();
  assert.deepEqual(readdirSync(outside), []);
});

test('gives a file its name when it is complete', async () => {
  const dir = newDir();
  const target = openDownloadTarget(dir);
  const part = await target.openPart('a/b/c');
  await part.restart(undefined);
  await part.append(bytes('hel'));
  assert.ok(!existsSync(join(dir, 'a/b/c')));
  assert.equal(await target.sizeOf('a/b/c'), undefined);
  await part.append(bytes('lo'));
  await part.finish();
  await part.close();
  assert.equal(readFileSync(join(dir, 'a/b/c'), 'utf8'), 'hello');
  assert.equal(await target.sizeOf('a/b/c'), 5);
  await target.writeText('a/b/c', 'by');
  assert.equal(readFileSync(join(dir, 'a/b/c'), 'utf8'), 'by');
});

test('keeps an unfinished file with its tag, and drops one without a tag', async () => {
  const dir = newDir();
  for (const [tag, size] of [
    ['"1"', 3],
    [undefined, 0],
  ] as const) {
    const part = await openDownloadTarget(dir).openPart('x');
    await part.restart(tag);
    await part.append(bytes('abc'));
    await part.close();
    const again = await openDownloadTarget(dir).openPart('x');
    assert.deepEqual([again.size, again.tag], [size, tag]);
    await again.append(bytes('d'));
    await again.close();
  }
  const last = await openDownloadTarget(dir).openPart('x');
  await last.restart('"2"');
  await last.append(bytes('z'));
  await last.finish();
  assert.equal(readFileSync(join(dir, 'x'), 'utf8'), 'z');
});
