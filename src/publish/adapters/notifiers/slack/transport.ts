import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { JsonObject } from '../../../../platform/core/text/json.ts';
import type { NoticePicture, NotifyPlace, Sent } from '../../../core/notifier.ts';
import type { SlackMessage, SlackTransport } from '../../../core/slack-transport.ts';
import { ask, failureOf, httpAddress } from '../ask.ts';
import { callSlack } from './call.ts';
import { uploadPicture } from './upload.ts';

const API = 'https://slack.com/api/';

/** Messages to one channel by a token, or by an incoming webhook. `url` is the base address of the API, for other servers than Slack's. */
export function slackTransport(place: NotifyPlace): SlackTransport {
  const { token, webhook } = place.secrets;
  if (token !== undefined) {
    const access = {
      base: httpAddress(place.url ?? API, 'The address of the API of Slack'),
      token,
      timeoutMs: place.timeoutMs,
    };
    return {
      hasToken: true,
      async post(message, signal) {
        const { method, body } = slackCall(message, place.channel);
        const called = await callSlack(access, { method, body }, signal);
        if (!('ok' in called)) return called;
        const { channel, ts } = called.ok;
        return { state: 'sent', receipt: `${channel}:${ts}` };
      },
      upload: (receipt: string, picture: NoticePicture, signal: CancelSignal) =>
        uploadPicture(access, { receipt, picture }, signal),
    };
  }
  if (webhook === undefined)
    throw new NightmarkError('NOTIFY_NO_SECRET', 'Slack needs a token or the address of a webhook.', {
      hint: 'Name an environment variable that holds one: token-env or webhook-env.',
    });
  const url = httpAddress(webhook, 'The address of the webhook');
  return {
    hasToken: false,
    post: (message, signal) => postWebhook(url, { message, timeoutMs: place.timeoutMs }, signal),
    upload: async () => ({ state: 'blocked', message: 'A webhook of Slack takes no pictures.' }),
  };
}

/** Which method of the API is called, with what. */
export function slackCall(
  { text, attachments, more, replaces, answers }: SlackMessage,
  to: string | undefined,
): { readonly method: string; readonly body: JsonObject } {
  const content = { text, ...(attachments && { attachments }), ...more };
  if (replaces !== undefined) {
    const [channel = '', ts = ''] = replaces.split(':');
    return { method: 'chat.update', body: { channel, ts, ...content } };
  }
  const [channel, ts] = answers?.split(':') ?? [to ?? ''];
  return {
    method: 'chat.postMessage',
    body: { channel: channel ?? '', ...(ts !== undefined && { thread_ts: ts }), ...content },
  };
}

/** It answers "ok", or a status and a word. */
async function postWebhook(
  url: URL,
  { message, timeoutMs }: { readonly message: SlackMessage; readonly timeoutMs: number },
  signal: CancelSignal,
): Promise<Sent> {
  const { text, attachments, more } = message;
  const body = JSON.stringify({ text, ...more, ...(attachments && { attachments }) });
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const asked = await ask({ method: 'POST', url, body, headers, timeoutMs }, signal);
  if ('failure' in asked) return asked.failure;
  const { status } = asked.answer;
  return status >= 200 && status < 300 ? { state: 'sent' } : failureOf(asked.answer, 'Slack');
}
