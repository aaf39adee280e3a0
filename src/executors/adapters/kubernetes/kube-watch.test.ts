import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { KubeObject } from '../../core/kubernetes/pod-state.ts';
import { KubeApi } from './kube-api.ts';
import { Watch } from './kube-watch.ts';

/** One answer after the other; every request is written down. */
const asked: string[] = [];
const answers: ((response: ServerResponse) => void)[] = [];
const server = createServer((request, response) => {
  const query = new URL(request.url ?? '', 'http://api').searchParams;
  asked.push(query.get('watch') === 'true' ? `watch ${query.get('resourceVersion')}` : 'list');
  const answer = answers.shift();
  if (answer) answer(response);
  else response.writeHead(200).flushHeaders(); // a watch on which nothing happens
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});

const pod = (name: string, version: string) => ({ metadata: { name, uid: name, resourceVersion: version } });
const list =
  (version: string, ...items: readonly object[]) =>
  (response: ServerResponse) =>
    void response.end(JSON.stringify({ metadata: { resourceVersion: version }, items }));
const events =
  (isBroken: boolean, ...all: readonly object[]) =>
  (response: ServerResponse) => {
    response.write(all.map((event) => `${JSON.stringify(event)}\n`).join(''));
    if (isBroken) setTimeout(() => response.destroy(), 20);
    else response.end();
  };

test('a watch goes on where it was, and lists anew what the server forgot', async () => {
  answers.push(
    list('5', pod('a', '3'), pod('b', '4')),
    events(
      false,
      { type: 'ADDED', object: pod('c', '6') },
      { type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } },
    ),
    events(true, { type: 'MODIFIED', object: pod('a', '10') }),
    (response) => void response.writeHead(503).end('{"message":"busy"}'),
    events(false, { type: 'ERROR', object: { code: 410, message: 'too old resource version' } }),
    list('20', pod('a', '10'), pod('d', '19')),
    events(false, { type: 'DELETED', object: pod('a', '21') }),
  );
  const heard: string[] = [];
  const { port } = server.address() as AddressInfo;
  const api = new KubeApi({
    server: new URL(`http://127.0.0.1:${port}`),
    namespace: 'x',
    options: async () => ({}),
  });
  const name = ({ metadata }: KubeObject) => `${metadata?.name}${metadata?.resourceVersion}`;
  await new Promise<void>((resolve) => {
    const watch = new Watch(
      api,
      { path: '/pods', selector: 'app=x' },
      {
        onObject: (object) => void heard.push(`+${name(object)}`),
        onGone: (object) => {
          heard.push(`-${name(object)}`);
          if (name(object) === 'a21') {
            watch.stop();
            resolve();
          }
        },
        onProblem: (message) => void heard.push(message),
      },
    );
  });
  assert.deepEqual(heard, ['+a3', '+b4', '+c6', '+a10', '-b4', '-c6', '+a10', '+d19', '-a21']);
  assert.deepEqual(asked, ['list', 'watch 5', 'watch 9', 'watch 10', 'watch 10', 'list', 'watch 20']);
});
