import { excerpt } from '../../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import type {
  NoticePicture,
  NotifyPlace,
  Sent,
  SlackMessage,
  SlackTransport,
} from '../../../core/notices/notifier.ts';
import { httpAddress, sendRequest, statusFailure } from '../notice-request.ts';

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

/** A webhook answers "ok", or a status and a short text. */
async function postWebhook(
  url: URL,
  { message, timeoutMs }: { readonly message: SlackMessage; readonly timeoutMs: number },
  signal: CancelSignal,
): Promise<Sent> {
  const { text, attachments, more } = message;
  const body = JSON.stringify({ text, ...more, ...(attachments && { attachments }) });
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const response = await sendRequest({ method: 'POST', url, body, headers, timeoutMs }, signal);
  if ('failure' in response) return response.failure;
  const { status } = response.answer;
  return status >= 200 && status < 300 ? { state: 'sent' } : statusFailure(response.answer, 'Slack');
}

export interface SlackAccess {
  readonly base: URL;
  readonly token: string;
  readonly timeoutMs: number;
}

export interface SlackCall {
  readonly method: string;
  readonly body: JsonObject;
  /** A few methods take forms only. */
  readonly isForm?: boolean;
}

type Failure = Exclude<Sent, { state: 'sent' }>;

/** Calls a method of the API. The API answers 200 with `ok: false` when it refuses. */
export async function callSlack(
  { base, token, timeoutMs }: SlackAccess,
  { method, body, isForm = false }: SlackCall,
  signal: CancelSignal,
): Promise<{ readonly ok: JsonObject } | Failure> {
  const url = new URL(method, base.href.endsWith('/') ? base : `${base.href}/`);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json; charset=utf-8',
  };
  const text = isForm
    ? new URLSearchParams(
        Object.entries(body).map(([key, value]): [string, string] => [key, String(value)]),
      ).toString()
    : JSON.stringify(body);
  const response = await sendRequest({ method: 'POST', url, body: text, headers, timeoutMs }, signal);
  if ('failure' in response) return response.failure;
  const { answer } = response;
  if (answer.status !== 200) return statusFailure(answer, `Slack (${method})`) as Failure;
  const reply = parsed(answer.text);
  if (!reply)
    return { state: 'blocked', message: `Slack (${method}) did not reply with JSON${excerpt(answer.text)}` };
  if (reply['ok'] === true) return { ok: reply };
  return refusalOf(method, typeof reply['error'] === 'string' ? reply['error'] : 'no reason');
}

/** Errors that pass by themselves, errors of this one message, and messages that are gone. All others need somebody to correct the settings. */
const TRANSIENT =
  /^(?:rate_?limited|internal_error|fatal_error|service_unavailable|request_timeout|team_added_to_org)$/;
const OF_MESSAGE =
  /^(?:msg_too_long|no_text|invalid_blocks.*|invalid_attachments|too_many_attachments|invalid_arguments|msg_blocks_too_long)$/;
const GONE = /^(?:message_not_found|cant_update_message|edit_window_closed|thread_not_found)$/;

function refusalOf(method: string, error: string): Failure {
  const message = `Slack (${method}) replied${excerpt(error)}`;
  if (TRANSIENT.test(error)) return { state: 'busy', message };
  if (GONE.test(error)) return { state: 'gone', message };
  return { state: OF_MESSAGE.test(error) ? 'refused' : 'blocked', message };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export interface Upload {
  /** Of the message below which it comes. */
  readonly receipt: string;
  readonly picture: NoticePicture;
}

/** Requests an upload address, uploads the bytes, and attaches the file to the thread. */
export async function uploadPicture(
  access: SlackAccess,
  { receipt, picture }: Upload,
  signal: CancelSignal,
): Promise<Sent> {
  const { name, title, png } = picture;
  const offered = await callSlack(
    access,
    {
      method: 'files.getUploadURLExternal',
      body: { filename: name, length: png.length, alt_txt: title },
      isForm: true,
    },
    signal,
  );
  if (!('ok' in offered)) return offered;
  const { upload_url: address, file_id: id } = offered.ok;
  if (typeof address !== 'string' || !URL.canParse(address) || typeof id !== 'string')
    return { state: 'blocked', message: 'Slack offered no address for a picture.' };
  const put = await sendRequest(
    {
      method: 'POST',
      url: new URL(address),
      body: png,
      headers: { 'content-type': 'application/octet-stream' },
      timeoutMs: access.timeoutMs,
    },
    signal,
  );
  if ('failure' in put) return put.failure;
  if (put.answer.status !== 200) return statusFailure(put.answer, 'The file store of Slack');
  const [channel = '', ts = ''] = receipt.split(':');
  const done = await callSlack(
    access,
    {
      method: 'files.completeUploadExternal',
      body: { files: [{ id, title }], channel_id: channel, thread_ts: ts },
    },
    signal,
  );
  return 'ok' in done ? { state: 'sent', receipt: id } : done;
}
