import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pack as tarPack } from 'tar-stream';
import { tarArchiver as archiver } from '../../src/platform/adapters/tar/tar.ts';

test('tar 1: a packed tree unpacks to the same files, modes, links and folders', async (t) => {
  const dir = scratch(t);
  const root = makeTree(join(dir, 'home'));
  const packed = await archiver.pack({ file: join(dir, 'a.tar.gz'), root });
  const into = join(dir, 'out');
  const written = await archiver.unpack(join(dir, 'a.tar.gz'), { into, prefix: root.slice(1) });
  assert.equal(written, packed.entries);
  assert.deepEqual(snapshot(into), snapshot(root));
  assert.equal(packed.bytes, fs.statSync(join(dir, 'a.tar.gz')).size);
});

test('tar 1: entries are named by the absolute path and sorted, folders end in a slash', async (t) => {
  const dir = scratch(t);
  const root = makeTree(join(dir, 'home'));
  await archiver.pack({ file: join(dir, 'a.tar.gz'), root });
  const paths = (await archiver.list(join(dir, 'a.tar.gz'))).map(({ path }) => path);
  assert.deepEqual(paths, [...paths].sort());
  assert.equal(paths[0], `${root.slice(1)}/`);
  assert.ok(paths.includes(`${root.slice(1)}/sub/empty/`));
  assert.ok(paths.indexOf(`${root.slice(1)}/sub.json') < paths.indexOf('${root.slice(1)}/sub/`));
});

test('tar 2: an archive that could not be finished does not appear, nor does anything else', async (t) => {
  const dir = scratch(t);
  const root = makeTree(join(dir, 'home'));
  const file = join(dir, 'backups', 'a.tar.gz');
  const replace = () => {
    throw new Error('in the middle');
  };
  await assert.rejects(archiver.pack({ file, root, replace }), /in the middle/);
  assert.deepEqual(fs.readdirSync(join(dir, 'backups')), []);
});

test('tar 2: an archive that is replaced stays the old one until the new one is complete', async (t) => {
  const dir = scratch(t);
  const root = makeTree(join(dir, 'home'));
  const file = join(dir, 'a.tar.gz');
  fs.writeFileSync(file, 'old');
  let seen = '';
  await archiver.pack({
    file,
    root,
    replace: () => {
      seen = fs.readFileSync(file, 'utf8');
      return undefined;
    },
  });
  assert.equal(seen, 'old');
  assert.ok((await archiver.list(file)).length > 5);
});

test('tar 3: what would leave the folder is refused before anything is written', async (t) => {
  const dir = scratch(t);
  const file = join(dir, 'bad.tar.gz');
  const tar = tarPack();
  tar.entry({ name: 'home/good' }, 'good');
  tar.entry({ name: 'home/../../evil' }, 'evil');
  tar.finalize();
  fs.writeFileSync(file, gzipSync(await bytesOf(tar)));
  await assert.rejects(archiver.unpack(file, { into: join(dir, 'out'), prefix: 'home' }), {
    code: 'ARCHIVE_ESCAPES',
    message: /home\/\.\.\/\.\.\/evil/,
  });
  assert.deepEqual(fs.readdirSync(dir), ['bad.tar.gz']);
});

test('tar 4: a damaged archive is an error that names the file', async (t) => {
  const dir = scratch(t);
  const root = makeTree(join(dir, 'home'));
  const whole = join(dir, 'a.tar.gz');
  await archiver.pack({ file: whole, root });
  const bytes = fs.readFileSync(whole);
  const flipped = Buffer.from(bytes);
  flipped[flipped.length - 6] = (flipped.at(-6) ?? 0) ^ 0xff; // the checksum
  const cut = join(dir, 'cut.tar.gz');
  for (const content of [bytes.subarray(0, -1), bytes.subarray(0, 40), Buffer.alloc(0), flipped, 'no gzip']) {
    fs.writeFileSync(cut, content);
    const damaged = { code: 'ARCHIVE_DAMAGED', message: /cut\.tar\.gz/ };
    await assert.rejects(archiver.list(cut), damaged);
    await assert.rejects(archiver.unpack(cut, { into: join(dir, 'out'), prefix: root.slice(1) }), damaged);
  }
  assert.equal(fs.existsSync(join(dir, 'out')), false);
});

test('tar 5: reading it back gives the bytes that the report says, and damage is found', async (t) => {
  const dir = scratch(t);
  const root = makeTree(join(dir, 'home'));
  const file = join(dir, 'a.tar.gz');
  const { contentBytes } = await archiver.pack({ file, root });
  assert.ok(contentBytes > 1024);
  assert.equal(await archiver.contentBytes(file), contentBytes);
  fs.truncateSync(file, fs.statSync(file).size - 1);
  await assert.rejects(archiver.contentBytes(file), { code: 'ARCHIVE_DAMAGED', message: /a\.tar\.gz/ });
  await assert.rejects(archiver.contentBytes(join(dir, 'none')), { code: 'ARCHIVE_MISSING' });
});

test('tar 6: what cannot be packed is noted or is an error that names it', async (t) => {
  const dir = scratch(t);
  const root = makeTree(join(dir, 'home'));
  fs.symlinkSync('/etc', join(root, 'leaving'));
  const file = join(dir, 'a.tar.gz');
  const { notes, entries } = await archiver.pack({ file, root, leavingLinks: 'leave-out' });
  assert.equal(notes?.length, 1);
  assert.match(notes[0] ?? '', /leaving is a link to the absolute path \/etc/);
  assert.equal((await archiver.list(file)).length, entries);
  await assert.rejects(archiver.pack({ file, root: join(dir, 'none') }), {
    code: 'ARCHIVE_MISSING',
    message: /none/,
  });
});

function scratch(t: { after(work: () => void): void }): string {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-archivers-')));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function makeTree(root: string): string {
  fs.mkdirSync(join(root, 'sub/empty'), { recursive: true });
  fs.writeFileSync(join(root, 'config.json'), '{}', { mode: 0o600 });
  fs.writeFileSync(join(root, 'sub.json'), '');
  fs.writeFileSync(join(root, 'sub/run.sh'), '#!/bin/sh\n');
  fs.chmodSync(join(root, 'sub/run.sh'), 0o755);
  fs.writeFileSync(join(root, 'sub/bytes'), Buffer.from([0, 255, 10, 13, 128]));
  fs.writeFileSync(join(root, 'sub/large'), Buffer.alloc(3_000_001, 'abc'));
  fs.writeFileSync(join(root, 'a name with\nnewline, "quotes" and \\'), 'x');
  fs.mkdirSync(join(root, 'ü'.repeat(60), 'n'.repeat(200)), { recursive: true });
  fs.writeFileSync(join(root, 'ü'.repeat(60), 'n'.repeat(200), '夜.txt'), 'night');
  fs.symlinkSync('sub/run.sh', join(root, 'link'));
  fs.symlinkSync('../config.json', join(root, 'sub/up'));
  fs.symlinkSync('nowhere', join(root, 'dangling'));
  fs.chmodSync(join(root, 'sub/empty'), 0o500);
  fs.utimesSync(join(root, 'config.json'), 1_000_000_000, 1_000_000_000);
  fs.utimesSync(join(root, 'sub'), 1_100_000_000, 1_100_000_000);
  return root;
}

function snapshot(root: string): readonly unknown[] {
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const place = join(root, path);
      const facts = fs.lstatSync(place);
      const seconds = Math.floor(facts.mtimeMs / 1000);
      if (facts.isSymbolicLink()) return [path, fs.readlinkSync(place), seconds];
      const content = facts.isFile() ? fs.readFileSync(place).toString('base64') : '';
      return [path, facts.mode, facts.uid, facts.gid, seconds, content];
    });
}

async function bytesOf(tar: unknown): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of tar as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
