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
import { after, describe, test } from 'node:test';
import type { Landings } from '../../src/matrix/core/landing.ts';
import { adapterIds, loadAdapter } from '../../src/platform/cli/adapters.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-landings-'));
after(() => rmSync(folder, { recursive: true }));
const bytes = (text: string) => new TextEncoder().encode(text);

for (const id of adapterIds('landings')) {
  describe(`landing ${id}`, async () => {
    const landings = await loadAdapter<Landings>('landings', id);
    const newDir = () => mkdtempSync(join(folder, 'd-'));

    test('is named after its folder', () => assert.equal(landings.id, id));

    test('1: writes through no link and over no folder', async () => {
      const dir = newDir();
      const outside = newDir();
      symlinkSync(outside, join(dir, 'link'));
      symlinkSync(join(outside, 'new'), join(dir, 'dangling'));
      mkdirSync(join(dir, 'folder'));
      writeFileSync(join(dir, 'file'), '');
      const landing = landings.open(dir);
      for (const path of ['link/x', 'link', 'dangling', 'folder', 'file/x', 'link/deep/x']) {
        const blocked = { code: 'DOWNLOAD_BLOCKED' };
        await assert.rejects(landing.openPart(path), blocked, path);
        await assert.rejects(landing.writeText(path, 'x'), blocked, path);
        await assert.rejects(landing.sizeOf(path), blocked, path);
      }
      assert.deepEqual(readdirSync(outside), []);
    });

    test('1: a link that comes in between is seen', async () => {
      const dir = newDir();
      const outside = newDir();
      const part = await landings.open(dir).openPart('a/x');
      await part.restart('t');
      await part.append(bytes('x'));
      rmSync(join(dir, 'a'), { recursive: true });
      symlinkSync(outside, join(dir, 'a'));
      await assert.rejects(part.finish(), { code: 'DOWNLOAD_BLOCKED' });
      await part.close();
      assert.deepEqual(readdirSync(outside), []);
    });

    test('2: a file is there when it is complete', async () => {
      const dir = newDir();
      const landing = landings.open(dir);
      const part = await landing.openPart('a/b/c');
      await part.restart(undefined);
      await part.append(bytes('hel'));
      assert.ok(!existsSync(join(dir, 'a/b/c')));
      assert.equal(await landing.sizeOf('a/b/c'), undefined);
      await part.append(bytes('lo'));
      await part.finish();
      await part.close();
      assert.equal(readFileSync(join(dir, 'a/b/c'), 'utf8'), 'hello');
      assert.equal(await landing.sizeOf('a/b/c'), 5);
      await landing.writeText('a/b/c', 'by');
      assert.equal(readFileSync(join(dir, 'a/b/c'), 'utf8'), 'by');
    });

    test('3: what came is there again, with its tag; without a tag it is of no use', async () => {
      const dir = newDir();
      for (const [tag, size] of [
        ['"1"', 3],
        [undefined, 0],
      ] as const) {
        const part = await landings.open(dir).openPart('x');
        await part.restart(tag);
        await part.append(bytes('abc'));
        await part.close();
        const again = await landings.open(dir).openPart('x');
        assert.deepEqual([again.size, again.tag], [size, tag]);
        await again.append(bytes('d'));
        await again.close();
      }
      const last = await landings.open(dir).openPart('x');
      await last.restart('"2"');
      await last.append(bytes('z'));
      await last.finish();
      assert.equal(readFileSync(join(dir, 'x'), 'utf8'), 'z');
    });
  });
}
