import { NightmarkError } from '../../core/errors.ts';

/** An http or https address, or an error that shows no more of it than is no secret. */
export function httpAddress(text: string, what: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new NightmarkError('NOTIFY_BAD_ADDRESS', `${what} is no http or https address.`, {
    hint: 'It begins with https:// and names a host.',
  });
}
