import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import disk from './local-disk.ts';

const root = fs.mkdtempSync(join(tmpdir(), 'nightmark-disks-'));
after(() => fs.rmSync(root, { recursive: true, force: true }));

const at = (...path: string[]) => join(root, ...path);
const code = (expected: string) => (error: { code?: string; message: string }) => {
  assert.equal(error.code, expected, error.message);
  return true;
};

test('1: writes whole files, into folders that were not there', async () => {
  await disk.writeText(at('new/deep/a.txt'), 'one', { durable: true });
  await disk.writeText(at('new/deep/a.txt'), 'two');
  assert.equal(await disk.readText(at('new/deep/a.txt')), 'two');
  assert.deepEqual(fs.readdirSync(at('new/deep')), ['a.txt']);
});

test('1: writes bytes as they are', async () => {
  const bytes = Uint8Array.from([0x89, 0x50, 0, 0xff, 0x0a]);
  await disk.writeBytes(at('new/picture.png'), bytes);
  assert.deepEqual([...fs.readFileSync(at('new/picture.png'))], [...bytes]);
});

test('8: a device is written into and stays what it is', async () => {
  fs.symlinkSync('/dev/zero', at('device')); // takes everything, and a link to it is all that a mistake could cost
  await disk.writeText(at('device'), 'text');
  await disk.writeBytes(at('device'), Uint8Array.from([1]));
  const writer = await disk.openWriter(at('device'));
  writer.write('piece');
  writer.finish();
  writer.discard();
  assert.equal(fs.readlinkSync(at('device')), '/dev/zero');
  assert.ok(fs.statSync(at('device')).isCharacterDevice());
});

test('1: a reader never sees half of a file', async () => {
  const texts = ['a'.repeat(3e6), 'b'.repeat(3e6)];
  await disk.writeText(at('big.txt'), texts[0] as string);
  for (let round = 0; round < 10; round++) {
    const [read] = await Promise.all([
      disk.readText(at('big.txt')),
      disk.writeText(at('big.txt'), texts[round % 2] as string),
    ]);
    assert.ok(read !== undefined && texts.includes(read));
  }
});

test('2: what is missing is undefined or empty', async () => {
  assert.equal(await disk.readText(at('none/x')), undefined);
  assert.equal(await disk.stat(at('none')), undefined);
  assert.deepEqual(await disk.list(at('none')), []);
  assert.equal(await disk.isExecutable(at('none')), false);
  await disk.remove(at('none'));
});

test('2: every other failure names the path', async () => {
  await disk.writeText(at('file'), 'x');
  await assert.rejects(disk.makeDir(at('file/sub')), code('DISK_FAILED'));
  await assert.rejects(disk.readText(at('file'), { maxBytes: 0 }), code('DISK_TOO_LARGE'));
  await assert.rejects(disk.readText(at('')), code('DISK_FAILED'));
  await assert.rejects(disk.writeText('/dev/full/x', 'x'), /\/dev\/full/);
  await assert.rejects(disk.makeDir('/proc/none/deep'), /\/proc\/none/);
  assert.equal(await disk.stat(at('file/sub')), undefined);
});

test('2: a full disk says so', {
  skip: !fs.existsSync('/dev/full') && 'there is no /dev/full here',
}, async () => {
  const journal = await disk.openJournal('/dev/full');
  assert.throws(() => journal.append('x'), code('DISK_FULL'));
  journal.close();
});

test('3: entries are sorted by name, byte by byte', async () => {
  for (const name of ['b', 'B', 'a b', 'é', 'a\nc', '10', '9']) await disk.writeText(at('sorted', name), '');
  fs.symlinkSync('nowhere', at('sorted/link'));
  fs.mkdirSync(at('sorted/folder'));
  const entries = await disk.list(at('sorted'));
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['10', '9', 'B', 'a\nc', 'a b', 'b', 'folder', 'link', 'é'],
  );
  assert.equal(entries.find(({ name }) => name === 'link')?.type, 'link');
  assert.equal(entries.find(({ name }) => name === 'folder')?.type, 'folder');
});

test('4: a link that leaves its folder is refused, one that stays is read', async () => {
  await disk.writeText(at('outside.txt'), 'secret');
  await disk.writeText(at('box/inside.txt'), 'fine');
  fs.symlinkSync('../outside.txt', at('box/escape'));
  fs.symlinkSync('inside.txt', at('box/stay'));
  await assert.rejects(disk.readText(at('box/escape'), { within: at('box') }), code('DISK_ESCAPES'));
  assert.equal(await disk.readText(at('box/stay'), { within: at('box') }), 'fine');
});

test('5: copying and removing do not follow links', async () => {
  await disk.writeText(at('kept/precious'), 'p');
  await disk.writeText(at('tree/a'), 'a');
  fs.chmodSync(at('tree/a'), 0o755);
  fs.symlinkSync('../kept', at('tree/link'));
  await disk.copyTree(at('tree'), at('copy'));
  assert.equal(fs.readlinkSync(at('copy/link')), '../kept');
  assert.equal(await disk.isExecutable(at('copy/a')), true);
  await disk.copyTree(at('tree'), at('copy'));
  await disk.remove(at('copy'));
  assert.equal(await disk.readText(at('kept/precious')), 'p');
});

test('equal content has an equal fingerprint, whatever the dates', async () => {
  const hash = () => disk.fingerprint([at('prints')], (name) => name === 'ignored');
  await disk.writeText(at('prints/a'), 'one');
  const first = await hash();
  fs.utimesSync(at('prints/a'), 1, 1);
  await disk.writeText(at('prints/ignored'), 'x');
  assert.equal(await hash(), first);
  fs.chmodSync(at('prints/a'), 0o755);
  const executable = await hash();
  assert.notEqual(executable, first);
  await disk.rename(at('prints/a'), at('prints/b'));
  assert.notEqual(await hash(), executable);
});

test('flushes files and trees, few and many, and passes over what is gone', async () => {
  for (let count = 0; count < 40; count++) await disk.writeText(at('flushed', `f${count}`), 'x');
  await disk.sync([at('flushed'), at('flushed/f1'), at('flushed/f1/below-a-file'), at('gone')]);
  await disk.sync([at('flushed/f1')]);
  await disk.sync([]);
});

test('reads a file of any size in pieces', async () => {
  const text = Array.from({ length: 300_000 }, (_, line) => `line ${line} é`).join('\n');
  await disk.writeText(at('pieces'), text);
  let pieces = 0;
  const decoder = new TextDecoder();
  let read = '';
  for await (const bytes of (await disk.readChunks(at('pieces'))) ?? []) {
    read += decoder.decode(bytes, { stream: true });
    pieces++;
  }
  assert.ok(read === text && pieces > 1);
  assert.equal(await disk.readChunks(at('not-there')), undefined);
  assert.equal(await disk.readChunks(at('pieces/below')), undefined);
  await assert.rejects(async () => {
    for await (const _ of (await disk.readChunks(root)) ?? []) assert.fail('a folder has no bytes');
  }, code('DISK_FAILED'));
  for await (const _ of (await disk.readChunks('/dev/null')) ?? []) assert.fail('nothing is in it');
});

test('7: a file that is written in pieces appears when it is finished', async () => {
  await disk.writeText(at('written/out'), 'old');
  const writer = await disk.openWriter(at('written/out'));
  writer.write('é'.repeat(70_000));
  assert.equal(await disk.readText(at('written/out')), 'old');
  writer.write('end');
  writer.finish();
  writer.discard();
  assert.equal(await disk.readText(at('written/out')), `${'é'.repeat(70_000)}end`);
  const other = await disk.openWriter(at('written/deep/other'));
  other.write('x');
  other.discard();
  assert.deepEqual(fs.readdirSync(at('written')), ['deep', 'out']);
  assert.deepEqual(fs.readdirSync(at('written/deep')), []);
  await assert.rejects(disk.openWriter(at('written/out/below')), /written\/out/);
});

test('a journal grows', async () => {
  for (const line of ['one\n', 'two\n']) {
    const journal = await disk.openJournal(at('log/j'));
    journal.append(line);
    journal.flush();
    journal.close();
  }
  assert.equal(await disk.readText(at('log/j')), 'one\ntwo\n');
});
