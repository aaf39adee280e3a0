import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Publication, PutFile } from '../../core/site/publisher.ts';
import { readRoot, type SiteFile } from '../../core/site/site-map.ts';
import type { PublishCache } from './publish-cache.ts';
import { publishSite } from './publish-site.ts';

/** A target in memory that keeps the order of what happens to it. */
function memoryTarget(wasInterrupted = false) {
  const files = new Map<string, string>();
  const events: string[] = [];
  const write = async (file: PutFile) => {
    let text = '';
    for await (const piece of file.bytes()) text += Buffer.from(piece).toString('latin1');
    files.set(file.path, text);
    events.push(`put ${file.path}`);
  };
  const publication: Publication = {
    holdsOther: false,
    wasInterrupted,
    async read(path) {
      events.push(`read ${path}`);
      return files.get(path);
    },
    put: write,
    async remove(paths) {
      for (const path of paths) files.delete(path);
      events.push(...paths.map((path) => `remove ${path}`));
    },
    async commit(last) {
      events.push('commit');
      for (const file of last) await write(file);
    },
    async *list() {
      yield* files.keys();
    },
    close: async () => undefined,
  };
  return { files, events, publication };
}

const tools = {
  newHash() {
    const hash = createHash('sha256');
    return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest('hex') };
  },
  encode: (text: string) => Buffer.from(text),
  signal: new AbortController().signal,
};

/** Stamps that are believed within one test. */
function memoryStamps(): PublishCache {
  const known = new Map<string, { stamp: string; sha256: string; size: number }>();
  const parts = new Map<string, readonly string[]>();
  const stampOf = (path: string) => known.get(path)?.stamp ?? '';
  return {
    find: ({ path, stamp }) => (known.get(path)?.stamp === stamp ? known.get(path) : undefined),
    partsOf: ({ path }) => (parts.get(path) ?? []).map((part) => ({ path: part, stamp: stampOf(part) })),
    setParts: ({ path }, paths) => void parts.set(path, paths),
    set: ({ path, stamp }, content) => void (stamp !== undefined && known.set(path, { stamp, ...content })),
    save: async () => undefined,
    outline: () => undefined,
    setOutline: () => undefined,
  };
}

let made: string[] = [];
function file(path: string, text: string, more: Partial<SiteFile> = {}): SiteFile {
  return {
    path,
    isNamed: false,
    stamp: text,
    async *bytes() {
      made.push(path);
      yield Buffer.from(text);
    },
    ...more,
  };
}

async function publish(
  target: ReturnType<typeof memoryTarget>,
  files: readonly SiteFile[],
  stamps = memoryStamps(),
  isDryRun = false,
) {
  made = [];
  target.events.length = 0;
  const each = async function* () {
    yield* files;
  };
  const site = { files: each(), isDryRun, status: async () => 'status', statusPath: 'status.js' };
  return publishSite(site, { ...tools, publication: target.publication, stamps });
}

const PAGE = file('index.html', 'page', { isNamed: true });

test('what is new comes first, then pages, then the root, then the status', async () => {
  const target = memoryTarget();
  await publish(target, [PAGE, file('data/a.js', '1'), file('data/b.js', '2')]);
  const puts = target.events
    .filter((event) => !event.startsWith('read'))
    .map((event) => event.replace(/\.[\da-f]{16}/, ''));
  assert.deepEqual(puts, [
    ...['put files~.js', 'put data/a.js', 'put data/b.js', 'put data/files~.js', 'put index.html'],
    ...['commit', 'put site.js', 'put status.js'],
  ]);
});

test('a folder in which nothing changed is neither made nor asked for', async () => {
  const target = memoryTarget();
  const stamps = memoryStamps();
  const before = [PAGE, file('data/a.js', '1'), file('old/1.js', 'x'), file('old/2.js', 'y')];
  await publish(target, before, stamps);
  const report = await publish(target, [PAGE, file('data/a.js', '2'), ...before.slice(2)], stamps);
  assert.deepEqual(made, ['data/a.js']);
  assert.deepEqual(
    target.events
      .filter((event) => event.startsWith('read'))
      .map((event) => event.replace(/\.[\da-f]{16}/, '')),
    ['read site.js', 'read data/files~.js'],
  );
  assert.deepEqual([report.written.length, report.unchanged], [4, 3]);
});

test('parts are made with their file only, and go to a new target as well', async () => {
  const stamps = memoryStamps();
  const whole = (stamp: string, tail: string) =>
    file('data/all.js', stamp, {
      parts: async () => [file('data/all&1.js', 'old', { stamp }), file('data/all&2.js', tail, { stamp })],
    });
  const target = memoryTarget();
  await publish(target, [whole('1', 'x')], stamps);
  assert.deepEqual(made, ['data/all.js', 'data/all&1.js', 'data/all&2.js']);
  const same = await publish(target, [whole('1', 'x')], stamps);
  assert.deepEqual([made, same.unchanged, same.isChanged], [[], 3, false]);
  const next = await publish(target, [whole('2', 'y')], stamps);
  const names = next.written.map(({ path }) => path.replace(/\.[\da-f]{16}/, ''));
  assert.deepEqual(names, ['data/all.js', 'data/all&2.js', 'data/files~.js', 'site.js', 'status.js']);
  const other = memoryTarget();
  await publish(other, [whole('2', 'y')], stamps);
  assert.deepEqual([...other.files.values()].filter((text) => /^(?:2|old|y)$/.test(text)).sort(), [
    '2',
    'old',
    'y',
  ]);
});

test('a new target gets everything, also what is known by its stamp', async () => {
  const stamps = memoryStamps();
  const files = [PAGE, file('data/a.js', '1')];
  await publish(memoryTarget(), files, stamps);
  const target = memoryTarget();
  await publish(target, files, stamps);
  assert.equal(target.files.size, 6);
});

test('files of the site before stay for one more publication, then they go', async () => {
  const target = memoryTarget();
  const publishOne = (text: string) => publish(target, [file('data/a.js', text)]);
  await publishOne('1');
  const first = [...target.files.keys()].filter((path) => path.startsWith('data/'));
  await publishOne('2');
  assert.deepEqual(readRoot(target.files.get('site.js') ?? '')?.retired, first.sort());
  assert.ok(first.every((path) => target.files.has(path)));
  const report = await publishOne('3');
  assert.deepEqual([...report.removed].sort(), first.sort());
  assert.ok(first.every((path) => !target.files.has(path)));
});

test('a file that comes back is not removed with its retired self', async () => {
  const target = memoryTarget();
  for (const text of ['1', '2', '1']) await publish(target, [file('data/a.js', text)]);
  assert.ok([...target.files.values()].includes('1'));
  await publish(target, [file('data/a.js', '1')]);
  assert.ok([...target.files.values()].includes('1'));
});

test('a folder that is gone is retired with its listing', async () => {
  const target = memoryTarget();
  await publish(target, [file('a/x.js', '1'), file('b/y.js', '2')]);
  await publish(target, [file('a/x.js', '1')]);
  await publish(target, [file('a/x.js', '3')]);
  assert.deepEqual(
    [...target.files.keys()].filter((path) => path.startsWith('b/')),
    [],
  );
});

test('after an interruption only names that we give are swept', async () => {
  const target = memoryTarget(true);
  for (const path of ['data/a.0123456789abcdef.js', 'CNAME', 'mine.js']) target.files.set(path, 'x');
  await publish(target, [file('data/a.js', '1')]);
  assert.deepEqual([...target.files.keys()].filter((path) => !/~|site|status/.test(path)).length, 3);
  assert.ok(!target.files.has('data/a.0123456789abcdef.js'));
});

test('a dry run reports the same and writes nothing', async () => {
  const target = memoryTarget();
  const planned = await publish(target, [PAGE, file('data/a.js', '1')], memoryStamps(), true);
  assert.equal(target.files.size, 0);
  const done = await publish(target, [PAGE, file('data/a.js', '1')]);
  assert.deepEqual(planned, done);
});

test('a large file that changes while it is read stops the publication before the root', async () => {
  const target = memoryTarget();
  let reads = 0;
  const changing = file('data/big.bin', '', {
    async *bytes() {
      yield Buffer.alloc(5_000_000, reads++);
    },
  });
  await assert.rejects(publish(target, [changing]), { code: 'PUBLISH_CHANGED' });
  assert.equal(target.files.get('site.js'), undefined);
});

test('a damaged root is replaced and everything is written', async () => {
  const target = memoryTarget();
  await publish(target, [file('data/a.js', '1')]);
  target.files.set('site.js', 'nightmarkDocument("site.js","{');
  const report = await publish(target, [file('data/a.js', '1')]);
  assert.equal(report.written.length, 4);
});
