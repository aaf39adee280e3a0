import { createHmac } from 'node:crypto';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import { textHash } from '../../../../platform/core/text/change-hash.ts';
import { cutText, type Notice } from '../../../core/notices/notice.ts';
import type { Notifier, NotifyPlace, OutgoingMessage, Sent } from '../../../core/notices/notifier.ts';
import { httpAddress, sendRequest, statusFailure } from '../notice-request.ts';

/** A notice as JSON (schema/notice.schema.json) to any address. */
const webhook: Notifier = {
  id: 'webhook',
  title: 'Webhook (JSON)',
  open: (place) => ({
    supports: { updates: false, threads: false, images: false },
    preview: (message) => ({
      to: place.url === undefined ? 'the address in the environment' : shown(place.url),
      body: JSON.stringify(webhookBody(message.notice), null, 2),
    }),
    send: (message, signal) => send(message, place, signal),
  }),
};

async function send(
  { notice }: OutgoingMessage,
  { url: given, secrets, timeoutMs }: NotifyPlace,
  signal: CancelSignal,
): Promise<Sent> {
  const address = secrets.webhook ?? given;
  if (address === undefined)
    throw new NightmarkError('NOTIFY_NO_ADDRESS', 'The webhook has no address.', {
      hint: 'Give url, or name an environment variable that holds it: url-env.',
    });
  const url = httpAddress(address, 'The address of the webhook');
  const content = webhookBody(notice);
  const body = JSON.stringify(content);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'nightmark',
    'idempotency-key': content.id,
    ...signature(body, secrets.secret),
  };
  const response = await sendRequest({ method: 'POST', url, body, headers, timeoutMs }, signal);
  if ('failure' in response) return response.failure;
  const { status } = response.answer;
  return status >= 200 && status < 300
    ? { state: 'sent', receipt: content.id }
    : statusFailure(response.answer, url.host);
}

/** Over the time, too: an old message cannot be sent again by somebody who intercepted it. */
function signature(body: string, secret: string | undefined): Readonly<Record<string, string>> {
  if (secret === undefined) return {};
  const time = String(Math.floor(Date.now() / 1000));
  const hash = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return { 'x-nightmark-timestamp': time, 'x-nightmark-signature': `sha256=${hash}` };
}

/** Without query, user and password. */
function shown(url: string): string {
  if (!URL.canParse(url)) return 'an address that cannot be read';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

export default webhook;

const LONGEST = { name: 200, title: 500, text: 20_000, fact: 4000 } as const;
const MOST = 50;

/** The documented shape: schema/notice.schema.json. */
function webhookBody(notice: Notice) {
  const { topic, event, state, severity, at, project, runId, experiment, link } = notice;
  const title = cutText(notice.title, LONGEST.title);
  const text = cutText(notice.text, LONGEST.text);
  return {
    version: 1,
    id: textHash(JSON.stringify([topic, state, at, title, text])),
    topic,
    event,
    state,
    severity,
    at: new Date(at).toISOString(),
    project: cutText(project, LONGEST.name),
    ...(runId !== undefined && { run: runId }),
    ...(experiment !== undefined && { experiment }),
    title,
    text,
    facts: notice.facts.slice(0, MOST).map(({ name, value }) => ({
      name: cutText(name, LONGEST.name),
      value: cutText(value, LONGEST.fact),
    })),
    ...(link !== undefined && { link }),
    mentions: notice.mentions.slice(0, MOST).map((who) => cutText(who, LONGEST.name)),
  };
}
