import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Header, pack as tarPack } from 'tar-stream';
import { tarArchiver as archiver } from './tar.ts';

type Entry = Partial<Header> & { readonly name: string; readonly content?: string };

const hostile: readonly (readonly [string, readonly Entry[], RegExp])[] = [
  ['".." in a name', [{ name: 'home/a/../../x' }], /contains "\.\."/],
  ['".." outside of the prefix', [{ name: 'home/a' }, { name: '../x' }], /"\.\.\/x"/],
  ['an absolute name to elsewhere', [{ name: '/etc/passwd' }], /"\/etc\/passwd", which is an absolute path/],
  ['an absolute link', [{ name: 'home/l', type: 'symlink', linkname: '/etc' }], /absolute path \/etc/],
  ['a link upwards', [{ name: 'home/l', type: 'symlink', linkname: '../x' }], /outside of the folder/],
  [
    'a link that leaves through another link',
    [
      { name: 'home/a/b/l', type: 'symlink', linkname: '../..' },
      { name: 'home/m', type: 'symlink', linkname: 'a/b/l/../x' },
    ],
    /behind a name/,
  ],
  [
    'a file behind a link',
    [
      { name: 'home/l', type: 'symlink', linkname: 'd' },
      { name: 'home/l/x', content: 'x' },
    ],
    /lies behind "l", which is a symlink/,
  ],
  [
    'a file over a link',
    [
      { name: 'home/l', type: 'symlink', linkname: 'd' },
      { name: 'home/l', content: 'x' },
    ],
    /comes twice, as symlink and as file/,
  ],
  [
    'a link over a folder',
    [
      { name: 'home/d/', type: 'directory' },
      { name: 'home/d/x', content: 'x' },
      { name: 'home/d', type: 'symlink', linkname: '.' },
    ],
    /comes twice, as folder and as symlink/,
  ],
  [
    'a link over a folder that only its content told of',
    [
      { name: 'home/d/x', content: 'x' },
      { name: 'home/./d', type: 'symlink', linkname: 'e' },
    ],
    /comes twice/,
  ],
  ['a hard link to outside', [{ name: 'home/h', type: 'link', linkname: 'etc/passwd' }], /hard link/],
  ['a hard link upwards', [{ name: 'home/h', type: 'link', linkname: 'home/../x' }], /contains "\.\."/],
  [
    'a hard link to a link',
    [
      { name: 'home/l', type: 'symlink', linkname: 'd' },
      { name: 'home/h', type: 'link', linkname: 'home/l' },
    ],
    /not a file that came before/,
  ],
  ['a device', [{ name: 'home/dev', type: 'character-device', devmajor: 1, devminor: 3 }], /device/],
  ['a pipe', [{ name: 'home/fifo', type: 'fifo' }], /pipe/],
  ['a link in place of the folder', [{ name: 'home', type: 'symlink', linkname: 'x' }], /the folder itself/],
];

for (const [what, entries, message] of hostile) {
  test(`refuses ${what} and writes nothing`, async (t) => {
    const dir = scratch(t);
    const file = await archive(dir, [{ name: 'home/first', content: '1' }, ...entries]);
    const refused = { code: 'ARCHIVE_ESCAPES', message };
    await assert.rejects(archiver.unpack(file, { into: join(dir, 'out'), prefix: 'home' }), refused);
    await assert.rejects(archiver.unpack(file, { into: '/', prefix: 'home', checkOnly: true }), refused);
    assert.deepEqual(fs.readdirSync(dir), ['a.tar.gz']);
  });
}

test('does not write through a link that is already in the folder', async (t) => {
  const dir = scratch(t);
  const file = await archive(dir, [{ name: 'home/d/x', content: 'evil' }]);
  fs.mkdirSync(join(dir, 'elsewhere'));
  fs.mkdirSync(join(dir, 'out'));
  fs.symlinkSync('../elsewhere', join(dir, 'out/d'));
  await assert.rejects(archiver.unpack(file, { into: join(dir, 'out'), prefix: 'home' }), {
    code: 'ARCHIVE_ESCAPES',
  });
  assert.deepEqual(fs.readdirSync(join(dir, 'elsewhere')), []);
});

test('replaces a link that stands where a file goes, not what it leads to', async (t) => {
  const dir = scratch(t);
  const file = await archive(dir, [{ name: 'home/f', content: 'new', mode: 0o4755 }]);
  fs.mkdirSync(join(dir, 'out'));
  fs.writeFileSync(join(dir, 'target'), 'old');
  fs.symlinkSync('../target', join(dir, 'out/f'));
  await archiver.unpack(file, { into: join(dir, 'out'), prefix: 'home' });
  assert.equal(fs.readFileSync(join(dir, 'target'), 'utf8'), 'old');
  assert.equal(fs.readFileSync(join(dir, 'out/f'), 'utf8'), 'new');
  assert.equal(fs.lstatSync(join(dir, 'out/f')).mode & 0o7777, 0o755);
});

test('a tar that ends between two entries is damaged though its gzip is whole', async (t) => {
  const dir = scratch(t);
  const file = await archive(dir, [{ name: 'home/f', content: 'x' }], 1024);
  await assert.rejects(archiver.list(file), { code: 'ARCHIVE_DAMAGED', message: /the end .* is missing/ });
});

test('a missing archive is not called damaged', async () => {
  await assert.rejects(archiver.list('/nowhere/a.tar.gz'), { code: 'ARCHIVE_MISSING' });
});

test('GNU tar reads what we write', async (t) => {
  const dir = scratch(t);
  const root = makeHome(dir);
  const { entries } = await archiver.pack({ file: join(dir, 'a.tar.gz'), root });
  const listed = execFileSync('tar', ['-tzf', join(dir, 'a.tar.gz'), '--quoting-style=literal']);
  assert.equal(listed.toString().trimEnd().split('\n').length, entries);
  fs.mkdirSync(join(dir, 'out'));
  execFileSync('tar', ['-xzf', join(dir, 'a.tar.gz'), '-C', join(dir, 'out')], { stdio: 'pipe' });
  execFileSync('diff', ['-r', '--no-dereference', root, join(dir, 'out', root)]);
  assert.equal(fs.statSync(join(dir, 'out', root, 'early')).mtimeMs, -86_400_000);
  assert.equal(fs.statSync(join(dir, 'out', root, 'late')).mtimeMs, 4e12);
  await archiver.unpack(join(dir, 'a.tar.gz'), { into: join(dir, 'ours'), prefix: root.slice(1) });
  assert.equal(fs.statSync(join(dir, 'ours/early')).mtimeMs, -86_400_000);
  assert.equal(fs.statSync(join(dir, 'ours/late')).mtimeMs, 4e12);
});

for (const format of ['gnu', 'posix', 'ustar']) {
  test(`we read what GNU tar writes (--format=${format}), hard links too`, async (t) => {
    const dir = scratch(t);
    const root = makeHome(dir, format === 'ustar');
    fs.linkSync(join(root, 'config.json'), join(root, 'same.json'));
    const file = join(dir, 'a.tar.gz');
    execFileSync('tar', [`--format=${format}`, '-zcf', file, root], { stdio: 'pipe' });
    await archiver.unpack(file, { into: join(dir, 'out'), prefix: root.slice(1) });
    execFileSync('diff', ['-r', '--no-dereference', root, join(dir, 'out')]);
  });
}

test('a file of GNU tar --sparse is refused, not restored with wrong content', async (t) => {
  const dir = scratch(t);
  fs.mkdirSync(join(dir, 'home'));
  fs.writeFileSync(join(dir, 'home/f'), 'x');
  fs.truncateSync(join(dir, 'home/f'), 1_000_000);
  const file = join(dir, 'a.tar.gz');
  execFileSync('tar', ['--format=posix', '--sparse', '-zcf', file, '-C', dir, 'home']);
  const unpacked = archiver.unpack(file, { into: join(dir, 'out'), prefix: 'home' });
  await assert.rejects(unpacked, { code: 'ARCHIVE_UNSUPPORTED' });
});

for (const [what, change] of [
  ['shorter', (file: string) => fs.truncateSync(file, 10)],
  ['longer', (file: string) => fs.appendFileSync(file, 'more')],
] as const) {
  test(`a file that gets ${what} while it is read leaves the archive whole`, async (t) => {
    const dir = scratch(t);
    const root = join(dir, 'home');
    fs.mkdirSync(root);
    fs.writeFileSync(join(root, 'a'), Buffer.alloc(2_500_000, 'x'));
    fs.writeFileSync(join(root, 'b'), 'after');
    const file = join(dir, 'a.tar.gz');
    const replace = (path: string) => {
      if (path === 'a') change(join(root, 'a')); // behind the look at its size
      return undefined;
    };
    const { notes } = await archiver.pack({ file, root, replace });
    assert.equal(notes?.length, what === 'shorter' ? 1 : 0);
    await archiver.unpack(file, { into: join(dir, 'out'), prefix: root.slice(1) });
    assert.equal(fs.statSync(join(dir, 'out/a')).size, 2_500_000);
    assert.equal(fs.readFileSync(join(dir, 'out/b'), 'utf8'), 'after');
  });
}

test('special files and names that are no UTF-8 are never left out silently', async (t) => {
  const dir = scratch(t);
  const root = join(dir, 'home');
  fs.mkdirSync(root);
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const { notes, entries } = await archiver.pack({ file: join(dir, 'a.tar.gz'), root });
  assert.equal(entries, 1);
  assert.deepEqual(notes, [`${join(root, 'pipe')} is not a file, folder or link.`]);
  fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff])]), 'x');
  await assert.rejects(archiver.pack({ file: join(dir, 'b.tar.gz'), root }), { code: 'ARCHIVE_NAME' });
});

test('an archive inside the folder does not hold itself', async (t) => {
  const dir = scratch(t);
  const { entries } = await archiver.pack({ file: join(dir, 'backups/a.tar.gz'), root: dir });
  assert.equal(entries, 2);
  assert.deepEqual(
    (await archiver.list(join(dir, 'backups/a.tar.gz'))).map(({ path }) => path),
    [`${dir.slice(1)}/`, `${dir.slice(1)}/backups/`],
  );
});

test('a large file passes through in pieces', async (t) => {
  const dir = scratch(t);
  fs.mkdirSync(join(dir, 'home'));
  fs.writeFileSync(join(dir, 'home/large'), '');
  fs.truncateSync(join(dir, 'home/large'), 160 * 1024 * 1024);
  const file = join(dir, 'a.tar.gz');
  const before = process.resourceUsage().maxRSS;
  await archiver.pack({ file, root: join(dir, 'home') });
  assert.deepEqual(
    (await archiver.list(file)).map(({ size }) => size),
    [0, 160 * 1024 * 1024],
  );
  assert.ok(process.resourceUsage().maxRSS - before < 100 * 1024, 'memory grew with the file (KiB)');
});

test('what a killed process left of an archive goes, what a living one writes stays', async (t) => {
  const dir = scratch(t);
  const root = makeHome(dir);
  const dead = spawnSync('true').pid;
  fs.mkdirSync(join(dir, 'b'));
  const mine = `a.tar.gz.${process.pid}-99.tmp`;
  for (const name of [`a.tar.gz.${dead}-0.tmp`, mine, 'a.tar.gz.old.tmp'])
    fs.writeFileSync(join(dir, 'b', name), '');
  await archiver.pack({ file: join(dir, 'b/a.tar.gz'), root });
  assert.deepEqual(fs.readdirSync(join(dir, 'b')).sort(), ['a.tar.gz', mine, 'a.tar.gz.old.tmp'].sort());
});

test('a file nobody may read is an error that names it, or a note', async (t) => {
  const dir = scratch(t);
  const root = join(dir, 'home');
  fs.mkdirSync(join(root, 'closed'), { recursive: true });
  fs.writeFileSync(join(root, 'secret'), 'x', { mode: 0o000 });
  fs.chmodSync(join(root, 'closed'), 0o000);
  fs.chmodSync(dir, 0o777);
  const [failed, noted] = asOrdinaryUser(dir, root);
  assert.deepEqual(failed, { code: 'DISK_DENIED', message: `No permission for ${root}/closed (EACCES).` });
  assert.deepEqual(noted, {
    entries: 2,
    notes: [`${root}/closed cannot be read (EACCES).`, `${root}/secret cannot be read (EACCES).`],
  });
});

test('cancelling ends the work and leaves nothing behind', async (t) => {
  const dir = scratch(t);
  const root = makeHome(dir);
  const signal = AbortSignal.abort();
  const file = join(dir, 'backups/a.tar.gz');
  await assert.rejects(archiver.pack({ file, root, signal }), { code: 'ARCHIVE_CANCELLED' });
  assert.deepEqual(fs.readdirSync(join(dir, 'backups')), []);
  await archiver.pack({ file, root });
  await assert.rejects(archiver.list(file, signal), { code: 'ARCHIVE_CANCELLED' });
});

function scratch(t: { after(work: () => void): void }): string {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-tar-')));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Root may read everything: packs in a process that gives that up. */
function asOrdinaryUser(dir: string, root: string): readonly unknown[] {
  const script = `
    import { tarArchiver as archiver } from ${JSON.stringify(new URL('./tar.js', import.meta.url).href)};
    if (process.getuid() === 0) { process.setegid(65534); process.seteuid(65534); }
    const request = ${JSON.stringify({ file: join(dir, 'a.tar.gz'), root })};
    const failed = await archiver.pack(request).catch(({ code, message }) => ({ code, message }));
    const { entries, notes } = await archiver.pack({ ...request, unreadable: 'leave-out' });
    console.log(JSON.stringify([failed, { entries, notes }]));`;
  const args = ['--input-type=module', '-e', script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: dir, encoding: 'utf8' })) as unknown[];
}

function makeHome(dir: string, isPlain = false): string {
  const root = join(dir, 'home');
  const deep = isPlain ? 'a/b' : `${'d'.repeat(120)}/${'ü'.repeat(70)}`;
  fs.mkdirSync(join(root, deep), { recursive: true });
  fs.writeFileSync(join(root, 'config.json'), '{}');
  fs.writeFileSync(join(root, deep, 'x'), 'x'.repeat(1000));
  fs.symlinkSync(`${deep}/x`, join(root, 'link'));
  if (isPlain) return root;
  fs.writeFileSync(join(root, 'early'), '');
  fs.utimesSync(join(root, 'early'), new Date(-86_400_000), new Date(-86_400_000));
  fs.writeFileSync(join(root, 'late'), '');
  fs.utimesSync(join(root, 'late'), 4e9, 4e9);
  return root;
}

/** An archive with these entries; `cutEnd` bytes are taken from the end of the tar. */
async function archive(dir: string, entries: readonly Entry[], cutEnd = 0): Promise<string> {
  const tar = tarPack();
  for (const { content, ...header } of entries) {
    if (header.type === undefined) tar.entry(header, content ?? '');
    else tar.entry(header);
  }
  tar.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of tar as AsyncIterable<Buffer>) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const file = join(dir, 'a.tar.gz');
  fs.writeFileSync(file, gzipSync(bytes.subarray(0, bytes.length - cutEnd)));
  return file;
}
