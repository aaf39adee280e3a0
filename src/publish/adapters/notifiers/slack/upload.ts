import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import type { NoticePicture, Sent } from '../../../core/notifier.ts';
import { ask, failureOf } from '../ask.ts';
import { callSlack, type SlackAccess } from './call.ts';

export interface Upload {
  /** Of the message below which it comes. */
  readonly receipt: string;
  readonly picture: NoticePicture;
}

/** Asks for an address, puts the bytes there, and says where the file belongs. */
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
  const put = await ask(
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
  if (put.answer.status !== 200) return failureOf(put.answer, 'The file store of Slack');
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
