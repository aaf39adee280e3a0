import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { adapterIds, loadAdapter } from '../../src/platform/cli/adapters.ts';
import type { Publication, Publisher, PublisherOptions } from '../../src/publish/core/site/publisher.ts';
import { publisherOptions, publishTargets, textFile } from '../support/publish-targets.ts';

const targets = await publishTargets();
after(async () => {
  for (const target of targets) await target.stop();
});

const ODD = ["a b&c/é+%'.txt", 'deep/er/x.0123456789abcdef.js', 'empty'];
const ROOT = 'site.js';

for (const id of adapterIds('publishers')) {
  const target = targets.find((one) => one.id === id);
  assert.ok(target, `test/support/publish-targets.ts has no receiver for ${id}`);
  describe(`publisher ${id}`, { skip: target.skip }, async () => {
    const publisher = await loadAdapter<Publisher>('publishers', id);
    const open = (to: string, more: Partial<PublisherOptions> = {}) =>
      publisher.open(to.slice(publisher.scheme.length + 1), publisherOptions(target.env, more));
    const publish = async (to: string, files: Readonly<Record<string, string>>, root: string) => {
      const publication = await open(to);
      for (const [path, text] of Object.entries(files)) await publication.put(textFile(path, text));
      await publication.commit([textFile(ROOT, root)]);
      await publication.close('done');
    };

    test('is named after its folder', () => {
      assert.equal(publisher.id, id);
      assert.match(publisher.scheme, /^[a-z\d]+$/);
    });

    test('1: what was put is there after the commit, odd names and large files too', async () => {
      const to = target.make();
      const files: Record<string, string> = Object.fromEntries(
        ODD.map((path) => [path, path === 'empty' ? '' : `of ${path}`]),
      );
      files['large'] = 'x'.repeat(3_000_000);
      // An assertion that fails would print all of it.
      const shortened = (found: Readonly<Record<string, string>>) =>
        Object.fromEntries(
          Object.entries(found).map(([path, text]) => [path, text.length > 99 ? text.length : text]),
        );
      await publish(to, files, 'one');
      const latin1 = (text: string) => Buffer.from(text).toString('latin1');
      const expected = Object.entries({ ...files, [ROOT]: 'one' }).map(([path, text]) => [
        path,
        latin1(text),
      ]);
      assert.deepEqual(shortened(await target.files(to)), shortened(Object.fromEntries(expected)));
      const again = await open(to, { mode: 'look' });
      assert.equal(await again.read(ROOT), 'one');
      assert.equal(await again.read(ODD[0] ?? ''), `of ${ODD[0]}`);
      assert.equal(await again.read('gone/from.here'), undefined);
      assert.deepEqual([again.holdsOther, again.wasInterrupted], [false, false]);
      assert.deepEqual(
        (await all(again)).filter((path) => !path.startsWith('.')).sort(),
        Object.keys(files).concat(ROOT).sort(),
      );
      await again.close('done');
    });

    test('1: a second publication replaces, keeps and removes', async () => {
      const to = target.make();
      await publish(to, { 'a/one': '1', 'b/two': '2' }, 'one');
      const next = await open(to);
      await next.put(textFile('b/two', 'changed'));
      await next.put(textFile('c/three', '3'));
      await next.remove(['a/one', 'never/there']);
      await next.commit([textFile(ROOT, 'two')]);
      await next.close('done');
      assert.deepEqual(await target.files(to), { 'b/two': 'changed', 'c/three': '3', [ROOT]: 'two' });
    });

    test('2 and 3: given up before the commit, the root is the earlier one and the next one learns of it', async () => {
      const to = target.make();
      await publish(to, { 'a.js': 'a' }, 'one');
      const lost = await open(to);
      await lost.put(textFile('b.js', 'b'));
      await lost.close('given-up');
      const there = await target.files(to);
      assert.deepEqual([there[ROOT], there['a.js']], ['one', 'a']);
      const next = await open(to);
      const mayBeThere = there['b.js'] !== undefined;
      assert.ok(next.wasInterrupted || !mayBeThere);
      await next.commit([textFile(ROOT, 'two')]);
      await next.close('done');
      assert.equal((await target.files(to))[ROOT], 'two');
      const last = await open(to);
      assert.equal(last.wasInterrupted, false);
      await last.close('done');
    });

    test('4: of two at once the second is refused, and what is there is the site of the first', async () => {
      const to = target.make();
      await publish(to, {}, 'zero');
      const other = spawn('sleep', ['60']);
      after(() => other.kill());
      const first = await open(to);
      const holder = { id: 'other', host: 'here', processId: other.pid ?? 0 };
      let refusal: { code?: string } = {};
      const second = await open(to, { holder }).catch((error: { code: string }) => {
        refusal = error;
        return undefined;
      });
      await second?.put(textFile('x', 'of second'));
      await first.put(textFile('x', 'of first'));
      await first.commit([textFile(ROOT, 'first')]);
      await first.close('done');
      await second?.commit([textFile(ROOT, 'second')]).catch((error: { code: string }) => {
        refusal = error;
      });
      await second?.close('given-up');
      assert.equal(refusal.code, second ? 'PUBLISH_CONFLICT' : 'PUBLISH_BUSY');
      assert.deepEqual(await target.files(to), { x: 'of first', [ROOT]: 'first' });
      other.kill();
      await once(other, 'exit');
    });

    test('5: other things are reported and stay, and what hosts want beside a site is no other thing', async () => {
      const to = target.make();
      await target.spoil(to, 'thesis.tex');
      const publication = await open(to);
      assert.equal(publication.holdsOther, true);
      await publication.close('done');
      const page = target.make();
      await target.spoil(page, 'CNAME');
      await publish(page, { a: 'a' }, 'one');
      assert.deepEqual(Object.keys(await target.files(page)).sort(), ['CNAME', 'a', ROOT]);
    });

    test('6: looking changes nothing', async () => {
      const to = target.make();
      const publication = await open(to, { mode: 'look' });
      assert.deepEqual([await publication.read(ROOT), publication.holdsOther], [undefined, false]);
      await publication.close('done');
      assert.deepEqual(await target.files(to), {});
    });

    test('a target that is none is refused with a hint', async () => {
      await assert.rejects(publisher.open('', publisherOptions(target.env)), { code: 'PUBLISH_BAD_TARGET' });
    });
  });
}

async function all(publication: Publication): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of publication.list()) paths.push(path);
  return paths;
}
