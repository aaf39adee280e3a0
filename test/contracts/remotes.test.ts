import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { RemoteFile, RemoteFolder, RemoteFolders } from '../../src/matrix/core/remote-folder.ts';
import { adapterIds, loadAdapter } from '../../src/platform/cli/adapters.ts';
import { type Answer, serveFiles, startServer, type TestServer } from '../support/listing-server.ts';
import { serveS3 } from '../support/s3-server.ts';

const KEYS = { id: 'AKID', secret: 'very/secret+key' };
const FILES: Readonly<Record<string, string>> = {
  ...{ 'top.txt': 'top', 'a b&c/é+%.txt': 'odd', 'sub/deep/x': 'x', 'sub/empty': '' },
  ...Object.fromEntries(
    Array.from({ length: 25 }, (_, index) => [`many/f${String(index).padStart(2, '0')}`, `${index}`]),
  ),
};
const servers: TestServer[] = [];
after(async () => {
  for (const server of servers) await server.close();
});

/** How each adapter is given the same files. */
const answers: Readonly<Record<string, { readonly answer: Answer; address(url: string): string }>> = {
  'http-listing': { answer: serveFiles(prefixed('bucket/base/')), address: (url) => `${url}/bucket/base` },
  s3: {
    answer: serveS3({ bucket: 'bucket', files: prefixed('base/'), pageSize: 4, keys: KEYS }),
    address: () => 's3://bucket/base',
  },
};

function prefixed(prefix: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(FILES).map(([path, text]) => [prefix + path, text]));
}

const signal = new AbortController().signal;
const env = { AWS_ACCESS_KEY_ID: KEYS.id, AWS_SECRET_ACCESS_KEY: KEYS.secret };

for (const id of adapterIds('remotes')) {
  describe(`remote ${id}`, async () => {
    const remotes = await loadAdapter<RemoteFolders>('remotes', id);
    const setUp = answers[id];
    assert.ok(setUp, `test/contracts/remotes.test.ts has no server for ${id}`);
    const open = async (answer = setUp.answer, idleMs = 20_000): Promise<RemoteFolder> => {
      const server = await startServer(answer);
      servers.push(server);
      const options = { allowedHosts: [], env, signal, endpoint: server.url, idleMs };
      return remotes.open(setUp.address(server.url), options);
    };

    test('is named after its folder and knows its addresses', () => {
      assert.equal(remotes.id, id);
      assert.ok(remotes.accepts(setUp.address('http://x')));
      assert.ok(!remotes.accepts('ftp://x/'));
    });

    test('1: lists every entry of a folder, and a missing folder is an error', async () => {
      const folder = await open();
      const entries = async (path: string) =>
        (await folder.list(path)).map(({ name, type }) => `${type} ${name}`).sort();
      assert.deepEqual(await entries(''), ['file top.txt', 'folder a b&c', 'folder many', 'folder sub']);
      assert.deepEqual(await entries('sub'), ['file empty', 'folder deep']);
      assert.equal((await entries('many')).length, 25);
      await assert.rejects(folder.list('gone'), { code: 'DOWNLOAD_REFUSED' });
    });

    test('2: odd names come and go unchanged', async () => {
      const folder = await open();
      const [entry] = await folder.list('a b&c');
      assert.equal(entry?.name, 'é+%.txt');
      assert.equal(await textOf(await folder.open('a b&c/é+%.txt')), 'odd');
      assert.equal(await textOf(await folder.open('sub/empty')), '');
    });

    test('3: continues from an offset while the file is the same', async () => {
      const folder = await open();
      const whole = await folder.open('top.txt');
      const { tag = '' } = whole;
      assert.deepEqual([whole.offset, whole.size, await textOf(whole)], [0, 3, 'top']);
      const rest = await folder.open('top.txt', { offset: 1, tag });
      assert.deepEqual([rest.offset, rest.size, await textOf(rest)], [1, 3, 'op']);
      const changed = await folder.open('top.txt', { offset: 1, tag: '"other"' });
      assert.deepEqual([changed.offset, await textOf(changed)], [0, 'top']);
    });

    test('4: reports what a retry may solve', async () => {
      for (const [status, code] of [
        [403, 'DOWNLOAD_REFUSED'],
        [503, 'DOWNLOAD_UNREACHABLE'],
        [429, 'DOWNLOAD_UNREACHABLE'],
      ] as const) {
        const folder = await open((_, response) => response.writeHead(status).end());
        await assert.rejects(folder.list(''), { code });
        await assert.rejects(folder.open('x'), { code });
      }
      const silent = await open(() => undefined, 100);
      await assert.rejects(silent.list(''), { code: 'DOWNLOAD_UNREACHABLE' });
      const other = await open((_, response) =>
        response.setHeader('content-type', 'text/html').end('<p>Hello</p>'),
      );
      await assert.rejects(other.list(''), { code: 'DOWNLOAD_NO_LISTING' });
    });

    test('5: asks no other host', async () => {
      const asked = await startServer((_, response) => response.end());
      servers.push(asked);
      const folder = await open((_, response) => response.writeHead(307, { location: asked.url }).end());
      await assert.rejects(folder.list(''), { name: 'NightmarkError' });
      await assert.rejects(folder.open('x'), { name: 'NightmarkError' });
      assert.deepEqual(asked.requests, []);
    });
  });
}

test('S3 without keys is anonymous, and wrong keys are refused', async () => {
  const s3 = await loadAdapter<RemoteFolders>('remotes', 's3');
  const open = async (keys: typeof KEYS | undefined, environment: Record<string, string>) => {
    const server = await startServer(serveS3({ bucket: 'small', files: { f: 'x' }, ...(keys && { keys }) }));
    servers.push(server);
    return s3.open('s3://small', {
      allowedHosts: [],
      env: { ...environment, AWS_ENDPOINT_URL: server.url },
      signal,
    });
  };
  assert.deepEqual(await (await open(undefined, {})).list(''), [{ name: 'f', type: 'file', size: 1 }]);
  await assert.rejects((await open(KEYS, {})).list(''), { code: 'DOWNLOAD_REFUSED' });
  const wrong = await open(KEYS, { ...env, AWS_SECRET_ACCESS_KEY: 'other' });
  await assert.rejects(wrong.list(''), { code: 'DOWNLOAD_REFUSED' });
});

async function textOf({ bytes }: RemoteFile): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}
