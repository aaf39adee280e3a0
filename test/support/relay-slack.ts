import type { ReceivedNotice } from './notice-receiver.ts';

/**
 * Messages that a server got, in the form of the recordings: one for each message and picture. The original follows the order of
 * the directory: attachments' fields, lists of names and what comes after one another are sorted.
 */
export function slackMessages(
  got: readonly ReceivedNotice[],
  normalise: (text: string) => string = (text) => text,
): readonly string[] {
  const found = got.flatMap(({ path, headers, json }): object[] => {
    if (path === '/api/chat.postMessage') {
      const { channel, text, attachments = '' } = JSON.parse(normalise(JSON.stringify(json)));
      const token = headers.authorization?.replace('Bearer ', '');
      return [{ api: 'chat.postMessage', token, channel, text, attachments: sorted(attachments) }];
    }
    if (path !== '/api/files.completeUploadExternal') return [];
    return [{ api: 'files.upload', title: json.files[0].title, channel: json.channel_id }];
  });
  return found.map((it) => sortAlerts(JSON.stringify(it))).sort();
}

export function recordedMessages(text: string): readonly string[] {
  const recorded = text
    // What is no mention is escaped on its way.
    .replaceAll('<b>', '&lt;b&gt;')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { api, token, channel, channels, text, attachments, title } = JSON.parse(line);
      return api === 'files.upload'
        ? { api, title, channel: channels }
        : { api, token, channel, text, attachments: sorted(attachments) };
    });
  return recorded.map((it) => sortAlerts(JSON.stringify(it))).sort();
}

/** The original reports the series of an experiment in the order of a set, another one each night. */
export function sortAlerts(json: string): string {
  const sort = (lines: string) =>
    lines
      .split(/(?<=\\n)/)
      .sort()
      .join('');
  return json.replace(/(?: {4}\([^\\]*\\n)+/g, sort);
}

/** What the old page shows, as it is written in ours: escaped, and without looks. */
export function pageFacts(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const plain = line.replace(/ style="[^"]*"/, '').replace('<b>', '&#60;b&#62;');
    if (plain === '<h2></h2>' || plain === '') return [];
    const [, countdown] = /install_countdown\("([^"]+)"/.exec(line) ?? [];
    if (countdown !== undefined) return [`id="${countdown}" data-deadline="`];
    const [, deadline] = /^<h2>(.+): <span id=/.exec(plain) ?? [];
    return [deadline === undefined ? plain : `<h2 class="deadline">${deadline}: <span id="${deadline}"`];
  });
}

// biome-ignore lint/suspicious/noExplicitAny: whatever was sent
function sorted(attachments: any): unknown {
  if (!Array.isArray(attachments)) return attachments;
  return attachments.map((it) => ({
    ...it,
    ...(it.fields && it.title.endsWith('benchmarks')
      ? { fields: it.fields.map((one: object) => JSON.stringify(one)).sort() }
      : {}),
  }));
}
