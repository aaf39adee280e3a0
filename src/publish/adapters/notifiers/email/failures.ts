import { excerpt } from '../../../../platform/adapters/http.ts';
import { messageOf } from '../../../../platform/core/errors.ts';
import type { NotifySecrets, Sent } from '../../../core/notifier.ts';

/** What a mail that did not go means: by the code of the server where it gave one, else by what happened to the connection. */
export function failureOf(error: unknown, server: string, secrets: NotifySecrets): Sent {
  const { responseCode, code = '' } = error as { responseCode?: number; code?: string };
  let said = excerpt(messageOf(error));
  for (const secret of [secrets.password, secrets.user]) {
    if (secret) said = said.replaceAll(secret, '***');
  }
  const message = `${server}${said === '' ? `: ${code}` : said}`;
  if (code === 'EAUTH' || code === 'ETLS' || /CERT|SELF_SIGNED|UNABLE_TO_/.test(code))
    return { state: 'blocked', message };
  if (responseCode === undefined || responseCode < 500) return { state: 'busy', message };
  // 552 and 554 are about this mail; who is unknown or not allowed can be mended.
  return { state: responseCode === 552 || responseCode === 554 ? 'refused' : 'blocked', message };
}
