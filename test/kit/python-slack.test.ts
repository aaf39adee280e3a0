import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { noPython, PYTHON } from '../support/python-job.ts';
import { folderWith, KIT_DIR, removeFolders, shown } from '../support/python-kit.ts';

const skip = noPython;

/** A server in the place of Slack: it writes down what comes and answers as Slack does. */
const asked: { url: string; auth: string | undefined; body: string }[] = [];
const slack = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { url = '', headers } = request;
  asked.push({ url, auth: headers.authorization, body });
  const address = `http://127.0.0.1:${(slack.address() as AddressInfo).port}`;
  const isRefused = body.includes('"C-none"');
  if (body.includes('"C-500"')) response.statusCode = 500;
  const answers: Record<string, object> = {
    '/api/chat.postMessage': isRefused
      ? { ok: false, error: 'channel_not_found' }
      : { ok: true, channel: 'C1', ts: '1.5' },
    '/api/files.getUploadURLExternal': { ok: true, upload_url: `${address}/upload/7`, file_id: 'F7' },
    '/api/files.completeUploadExternal': { ok: true, files: [{ id: 'F7' }] },
    '/upload/7': {},
  };
  response.end(JSON.stringify(answers[url] ?? {}));
});
before(() => new Promise<void>((done) => slack.listen(0, '127.0.0.1', done)));
after(() => {
  slack.close();
  removeFolders();
});

test('parts of messages', { skip }, () => {
  const seen = shown(`from slack_util import *
show('pings', [generate_ping_list(['U1', 'U2']), generate_ping_list([])])
show('fields', [build_field(), build_field('T', 'v', True)])
show('attachments', [build_attachment(), build_attachment('T', [], 'p', 't', 'red')])
show('messages', [build_message(), build_message('t', 'p', [])])
show('no token', new_client({})[:2])`);
  assert.deepEqual(seen['pings'], ['<@U1>, <@U2>', '']);
  assert.deepEqual(seen['fields'], [
    { value: '', short: false },
    { value: 'v', short: true, title: 'T' },
  ]);
  assert.deepEqual(seen['attachments'], [
    { color: '#000000' },
    { color: 'red', title: 'T', fields: [], pretext: 'p', text: 't' },
  ]);
  assert.deepEqual(seen['messages'], [
    { text: '', pretext: '' },
    { text: 't', pretext: 'p', attachments: [] },
  ]);
  const [success, message] = seen['no token'] as [boolean, string];
  assert.equal(success, false);
  assert.match(message, /^Exception encountered: Traceback [\s\S]*KeyError: 'slack_client_token'$/);
});

test('messages and pictures reach Slack without its package', { skip }, async () => {
  const picture = join(folderWith({ 'graph.png': 'PNG bytes' }), 'graph.png');
  const program = `import json
from slack import WebClient
from slack_util import *
ok, message, client = new_client({'slack_client_token': 'xoxb-1'})
seen = [ok, message, isinstance(client, WebClient)]
ok, answers, said = post_message(client, ['C1', 'C2'], build_message('hi', attachments=[build_attachment('T')]), thread_ts='1.0')
seen += [ok, said, [[answer.data['channel'], answer['ts']] for answer in answers]]
seen.append(post_message(client, 'C3', {})[0])
for bad in ('C-none', 'C-500'):
    ok, answers, said = post_message(client, bad, build_message('x'))
    seen.append([ok, answers, said.split('\\n')[-1]])
ok, answer, said = upload_image(client, ['C1', 'C2'], ${JSON.stringify(picture)}, 'Graph', thread_ts='1.5')
seen += [ok, answer['files'], said]
seen.append(upload_image(client, 'C1', '/nowhere.png', 'x')[:2])
print(json.dumps(seen))`;
  const { port } = slack.address() as AddressInfo;
  const { stdout } = await promisify(execFile)(PYTHON, ['-S', '-c', program], {
    env: {
      PYTHONPATH: `${join(KIT_DIR, 'python')}:${join(KIT_DIR, 'python/standin/slack')}`,
      PYTHONDONTWRITEBYTECODE: '1',
      SLACK_API_URL: `http://127.0.0.1:${port}/api`,
    },
  });
  const one = ['C1', '1.5'];
  assert.deepEqual(JSON.parse(stdout), [
    ...[true, 'success', true, true, 'success', [one, one], true],
    [false, null, 'nightmark_slack.SlackApiError: Slack refused chat.postMessage: channel_not_found'],
    [false, null, `nightmark_slack.SlackApiError: 127.0.0.1:${port} answered 500`],
    ...[true, [{ id: 'F7' }], 'success', [false, null]],
  ]);
  const body = (index: number) => JSON.parse(asked[index]?.body ?? '') as unknown;
  assert.deepEqual(body(0), {
    ...{ channel: 'C1', text: 'hi', thread_ts: '1.0' },
    attachments: [{ color: '#000000', title: 'T' }],
  });
  assert.deepEqual(body(2), { channel: 'C3', text: '*No Message Content*', attachments: '' });
  assert.equal(asked[5]?.body, 'filename=graph.png&length=9');
  assert.deepEqual([asked[6]?.url, asked[6]?.body, asked[6]?.auth], ['/upload/7', 'PNG bytes', undefined]);
  assert.deepEqual(body(7), {
    files: [{ id: 'F7', title: 'Graph' }],
    channels: 'C1,C2',
    thread_ts: '1.5',
  });
  assert.ok(asked.every(({ url, auth }) => url === '/upload/7' || auth === 'Bearer xoxb-1'));
});
