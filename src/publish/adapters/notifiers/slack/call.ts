import { excerpt } from '../../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import type { Sent } from '../../../core/notifier.ts';
import { ask, failureOf } from '../ask.ts';

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

/** Calls a method of the API. It answers 200 with `ok: false` to what it does not like. */
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
  const asked = await ask({ method: 'POST', url, body: text, headers, timeoutMs }, signal);
  if ('failure' in asked) return asked.failure;
  const { answer } = asked;
  if (answer.status !== 200) return failureOf(answer, `Slack (${method})`) as Failure;
  const said = parsed(answer.text);
  if (!said) return { state: 'blocked', message: `Slack (${method}) gave no JSON${excerpt(answer.text)}` };
  if (said['ok'] === true) return { ok: said };
  return refusalOf(method, typeof said['error'] === 'string' ? said['error'] : 'no reason');
}

/** What passes by itself; what another message may not meet; a message that is gone. All else somebody has to mend. */
const PASSES =
  /^(?:rate_?limited|internal_error|fatal_error|service_unavailable|request_timeout|team_added_to_org)$/;
const OF_MESSAGE =
  /^(?:msg_too_long|no_text|invalid_blocks.*|invalid_attachments|too_many_attachments|invalid_arguments|msg_blocks_too_long)$/;
const GONE = /^(?:message_not_found|cant_update_message|edit_window_closed|thread_not_found)$/;

function refusalOf(method: string, error: string): Failure {
  const message = `Slack (${method}) says${excerpt(error)}`;
  if (PASSES.test(error)) return { state: 'busy', message };
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
