import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDeadlines } from '../../../home/core/subsystem-config.ts';
import { parseExactJson } from '../../../platform/core/text/exact-json.ts';
import { attachment, field, harmless, pings, readSlackConfig, shorten } from './slack-messages.ts';
import { indentedJson } from './website-page.ts';

test('texts are cut between words, as textwrap.shorten of Python does', () => {
  // The expected ones are what Python 3.11 gives.
  assert.equal(shorten('  a \n b\t c ', 40), 'a b c');
  assert.equal(shorten('boom '.repeat(100), 40), 'boom boom boom boom boom boom boom [...]');
  assert.equal(shorten('ab-cd '.repeat(60), 40), 'ab-cd ab-cd ab-cd ab-cd ab-cd ab- [...]');
  assert.equal(shorten('😀'.repeat(40), 40), '😀'.repeat(40));
  assert.equal(shorten('x'.repeat(100), 40), `${'x'.repeat(34)} [...]`);
});

test('nothing in a text rings but the mention of a person', () => {
  assert.equal(
    harmless('<!channel> <!here|x> <#C1> a<b && c>d'),
    '&lt;!channel&gt; &lt;!here|x&gt; &lt;#C1&gt; a&lt;b &amp;&amp; c&gt;d',
  );
  const kept = 'ATTN: <@U9> <https://example.org/?a|log> &lt;';
  assert.equal(harmless(kept), kept);
  assert.equal(pings(['U1', '!channel>']), '<@U1>, <@channel>');
});

test('a message of thousands of experiments is one that Slack takes', () => {
  const fields = Array.from({ length: 1000 }, (_, index) => field(`${index}`));
  const made = attachment({ title: 'many', fields });
  assert.equal((made['fields'] as readonly unknown[]).length, 100);
  assert.deepEqual((made['fields'] as readonly unknown[])[99], { value: 'and 901 more', short: false });
  assert.ok(String(field('y'.repeat(100_000))['value']).length <= 3000);
});

test('JSON is indented as Python does, and numbers keep their digits', () => {
  const text = '[\n {\n  "a": 1.0,\n  "b": [],\n  "c": {\n   "\\u00e4": null\n  }\n }\n]';
  assert.equal(indentedJson(parseExactJson(text)), text);
});

test('deadlines are moments on the wall; what is none is named', () => {
  const clock = {
    fromWall: (wall: { year: number; month: number; day: number; hour: number; minute: number }) =>
      Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute),
  };
  const read = (date: unknown) => readDeadlines({ deadlines: { x: { date: date as string } } }, clock);
  assert.equal(read('2026-3-1 12:00:07').deadlines[0]?.at, Date.UTC(2026, 2, 1, 12, 0, 7));
  for (const date of [
    '',
    '2026-02-30 12:00:00',
    '2026-03-01',
    '2026-13-01 12:00:00',
    '2026-01-01 24:00:00',
    'soon',
  ])
    assert.equal(read(date).problem, `Could not parse date ${date}`);
  assert.equal(read(7).problem, 'Could not parse date 7');
  assert.equal(readDeadlines({ deadlines: { x: 'y' } }, clock).problem, "Date missing in entry 'y' under x");
});

test('the token goes before the webhook, and a lacking secret is named', () => {
  const both = { slack_client_token: 't', channel_id: ['C1', 'C2'], webhook_url: 'http://x/' };
  assert.deepEqual(readSlackConfig(both, {}), { type: 'token', token: 't', channels: ['C1', 'C2'] });
  assert.deepEqual(readSlackConfig({ webhook_url_env: 'HOOK' }, { HOOK: 'http://y/' }), {
    type: 'webhook',
    url: 'http://y/',
  });
  assert.deepEqual(readSlackConfig({ channel_id: 'C', slack_client_token_env: 'T' }, {}), {
    type: 'missing',
    message: 'No client token given: T is not set in the environment',
  });
});
