import { messageOf, NightmarkError } from '../../core/errors.ts';
import type { HttpAnswer } from './http.ts';

/** An address as it may be shown: without user, password and query. */
export function shownAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

export function refusedCredentials(url: URL, status: number, text: string): NightmarkError {
  return new NightmarkError('EXPORT_DENIED', `${shownAddress(url)} refuses us (${status}${saying(text)}).`, {
    hint: 'Give user and password, or a token, by --user-env, --password-env, --token-env or --secret-file.',
  });
}

export function interrupted(url: URL): NightmarkError {
  return new NightmarkError('EXPORT_INTERRUPTED', `Talking to ${shownAddress(url)} was interrupted.`, {
    hint: 'Do it again: what was sent is replaced by itself.',
  });
}

/** An answer that nothing can be done with. */
export function unexpectedAnswer(url: URL, { status, text }: HttpAnswer): NightmarkError {
  return new NightmarkError('EXPORT_FAILED', `${shownAddress(url)} answered ${status}${saying(text)}.`, {
    hint: 'Is it the address of the right server? Redirections are not followed.',
  });
}

export function failureOf(error: unknown, url: URL): NightmarkError {
  if (error instanceof NightmarkError) return error;
  const { code = '' } = error as { code?: string };
  if (CERTIFICATE.test(code)) {
    return new NightmarkError(
      'EXPORT_CERTIFICATE',
      `The certificate of ${shownAddress(url)} is not trusted: ${messageOf(error)}`,
      {
        hint: 'Give the certificate of its authority by --ca FILE; --insecure turns the check off.',
        cause: error,
      },
    );
  }
  return new NightmarkError(
    'EXPORT_UNREACHABLE',
    `${shownAddress(url)} cannot be reached: ${messageOf(error) || code}`,
    { hint: 'Is the address right, and does the server run?', cause: error },
  );
}

const CERTIFICATE = /CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO_(?:GET|VERIFY)/;
const MAX_SAID = 200;

/** The words of the server, cut and on one line. */
function saying(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim();
  return words === '' ? '' : `: ${words.slice(0, MAX_SAID)}`;
}
