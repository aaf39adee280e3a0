import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { jobImages } from './site-document.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const newHash = () => {
  const hash = createHash('sha256');
  return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest('hex') };
};
const MIB = 1024 * 1024;

/** Pictures of a job with these files, all of which it told of but "other.png". */
function imagesOf(files: Readonly<Record<string, Uint8Array>>) {
  const told = Object.keys(files).filter((path) => path !== 'other.png');
  const documents: Readonly<Record<string, unknown>> = {
    'jobs/j1': {
      images: Object.fromEntries([...told, '../../secret.png'].map((path, at) => [`k${at}`, path])),
    },
    'jobs/j1/files': { files: Object.entries(files).map(([path, bytes]) => ({ path, bytes: bytes.length })) },
  };
  return jobImages('j1', {
    ...{ encode, newHash },
    document: async (address) => documents[address],
    jobFile: async (_id, path) => (path === 'gone.png' ? undefined : files[path]),
  });
}

test('pictures that a job told of are published beside its document', async () => {
  const files = { 'plots/a.PNG': encode('1'), 'b.svg': encode('<svg/>'), 'other.png': encode('2') };
  const made = await imagesOf({ ...files, 'model.bin': encode('3'), 'gone.png': encode('4') });
  assert.deepEqual(
    made.map(({ path }) => path.replace(/~[\da-f]+/, '~')),
    ['data/jobs/j1-plots-a~.png', 'data/jobs/j1-b.svg'],
  );
  const [first] = made;
  assert.deepEqual(await first?.bytes()[Symbol.asyncIterator]().next(), {
    value: files['plots/a.PNG'],
    done: false,
  });
  assert.notEqual(made[0]?.stamp, made[1]?.stamp);
});

test('a drawing with a script is not, nor what is large', async () => {
  const evil = encode('<svg><script>alert(1)</script></svg>');
  const large = new Uint8Array(MIB + 1);
  const made = await imagesOf({ 'evil.svg': evil, 'a.png': large, 'b.png': large, 'c.png': encode('1') });
  assert.deepEqual(
    made.map(({ path }) => path),
    ['data/jobs/j1-a.png', 'data/jobs/j1-c.png'],
  );
});

test('a job without pictures, and one that is gone, have none', async () => {
  const nothing = { encode, newHash, jobFile: async () => assert.fail('a file was asked for') };
  assert.deepEqual(await jobImages('j', { ...nothing, document: async () => undefined }), []);
  assert.deepEqual(await jobImages('j', { ...nothing, document: async () => ({ images: {} }) }), []);
});
