import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { packCode } from '../src/jobs/app/code-package.ts';
import { clearStaging } from '../src/night/app/begin-night.ts';
import disk from '../src/platform/adapters/local-disk/local-disk.ts';
import type { Archiver } from '../src/platform/core/archiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-staging-'));
after(() => rmSync(folder, { recursive: true }));

test('a night leaves what another process is packing, and takes away what is stale', async () => {
  const staging = join(folder, 'staging');
  await clearStaging(staging, { disk, clock: Date });
  mkdirSync(join(staging, 'diff-1'), { recursive: true });
  writeFileSync(join(staging, 'a.tgz'), 'half');
  await clearStaging(staging, { disk, clock: Date });
  assert.deepEqual(readdirSync(staging), ['a.tgz', 'diff-1']);
  await clearStaging(staging, { disk, clock: { now: () => Date.now() + 2 * 3_600_000 } });
  assert.deepEqual(readdirSync(staging), []);
});

test('a folder that is far too large is refused before any of it is read', async () => {
  const root = join(folder, 'code');
  mkdirSync(join(root, 'data'), { recursive: true });
  writeFileSync(join(root, 'train.py'), 'pass');
  writeFileSync(join(root, 'data/huge.bin'), '');
  truncateSync(join(root, 'data/huge.bin'), 2 ** 40);
  const read = () => assert.fail('it was read');
  const request = { root, leftOut: [], staging: folder, mark: 'x', mostBytes: 1024 ** 2 };
  const effects = {
    disk: { ...disk, fingerprint: read },
    archiver: { pack: read } as unknown as Archiver,
    queue: { hasPackage: read, savePackage: read },
    signal: new AbortController().signal,
  };
  await assert.rejects(packCode({ ...request, excludes: [] }, effects), {
    code: 'JOBS_PACKAGE_SIZE',
    message: /has more than 8\.0 MiB; a package of it may have 1\.0 MiB/,
  });
  const known = { ...effects, disk, queue: { hasPackage: async () => true, savePackage: read } };
  assert.deepEqual((await packCode({ ...request, excludes: ['data'] }, known)).names, ['train.py']);
});
