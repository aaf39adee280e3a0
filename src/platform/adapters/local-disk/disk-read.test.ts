import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import localDisk from './local-disk.ts';

const dir = mkdtempSync(join(tmpdir(), 'nightmark-ends-'));
after(() => rmSync(dir, { recursive: true }));

test('reads a small file whole', async () => {
  const path = join(dir, 'small');
  writeFileSync(path, 'hello');
  const ends = await localDisk.readEnds(path, { headBytes: 3, tailBytes: 2 });
  assert.deepEqual(ends, { head: 'hello', tail: '', size: 5, leftOutBytes: 0 });
});

test('reads only the ends of a large file', async () => {
  const path = join(dir, 'large');
  writeFileSync(path, 'begin');
  truncateSync(path, 8 * 2 ** 30); // sparse: 8 GiB that take no space
  const ends = await localDisk.readEnds(path, { headBytes: 5, tailBytes: 2 });
  assert.deepEqual(ends, { head: 'begin', tail: '\0\0', size: 8 * 2 ** 30, leftOutBytes: 8 * 2 ** 30 - 7 });
});

test('a missing file, a folder and a pipe have no ends', async () => {
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  for (const name of ['nothing', '.', 'pipe', 'small/below']) {
    assert.equal(await localDisk.readEnds(join(dir, name), { headBytes: 9, tailBytes: 9 }), undefined);
  }
});

test('refuses a link that leaves the folder', async () => {
  symlinkSync('/etc/hostname', join(dir, 'link'));
  const reading = localDisk.readEnds(join(dir, 'link'), { headBytes: 9, tailBytes: 9, within: dir });
  await assert.rejects(reading, { code: 'DISK_ESCAPES' });
});

test('reads on from an offset while a file grows', async () => {
  const path = join(dir, 'grows');
  writeFileSync(path, 'one\ntw');
  const decode = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();
  assert.equal(decode(await localDisk.readFrom(path, 4, 100)), 'tw');
  appendFileSync(path, 'o\n');
  assert.equal(decode(await localDisk.readFrom(path, 4, 3)), 'two');
  assert.equal(decode(await localDisk.readFrom(path, 8, 100)), '');
  assert.equal(decode(await localDisk.readFrom(path, 99, 100)), '');
  assert.equal(await localDisk.readFrom(join(dir, 'absent'), 0, 1), undefined);
});
