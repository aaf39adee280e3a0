import type { Notifier, NotifyPlace, OutgoingMessage } from '../../../core/notifier.ts';
import type { SlackTransport } from '../../../core/slack-transport.ts';
import { slackMessage } from './message.ts';
import { slackCall, slackTransport } from './transport.ts';

/** Slack by a token (changes messages, answers below them, uploads pictures) or by an incoming webhook. */
const slack: Notifier = {
  id: 'slack',
  title: 'Slack',
  open(place) {
    const canMore = place.secrets.webhook === undefined;
    let transport: SlackTransport | undefined;
    const open = () => {
      transport ??= slackTransport(place);
      return transport;
    };
    return {
      supports: { updates: canMore, threads: canMore, images: canMore },
      preview: (message) => preview(message, place, canMore),
      send: (message, signal) => open().post(slackMessage(message), signal),
      ...(canMore && { attach: (receipt, picture, signal) => open().upload(receipt, picture, signal) }),
    };
  },
};

function preview(message: OutgoingMessage, { channel = '' }: NotifyPlace, isApi: boolean) {
  const made = slackMessage(message);
  if (!isApi) {
    const { text, attachments } = made;
    return { to: 'Slack, the channel of the webhook', body: JSON.stringify({ text, attachments }, null, 2) };
  }
  const { method, body } = slackCall(made, channel);
  return { to: `Slack ${channel}, ${method}`, body: JSON.stringify(body, null, 2) };
}

export default slack;
