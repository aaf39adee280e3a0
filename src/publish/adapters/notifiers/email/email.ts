import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { Notifier, NotifyPlace, Sent } from '../../../core/notifier.ts';
import { mailAddresses } from './addresses.ts';
import { failureOf } from './failures.ts';
import { mailOf } from './mail.ts';

/** Mail by SMTP. News of a matter answer the first mail, so that readers show them together. */
const email: Notifier = {
  id: 'email',
  title: 'E-mail (SMTP)',
  open(place) {
    const who = {
      to: mailAddresses(place.addresses ?? []),
      from: mailAddresses([place.from ?? ''])[0] ?? '',
    };
    const server = mailServer(place.url ?? '');
    return {
      supports: { updates: false, threads: true, images: true },
      preview(message) {
        const { subject, text } = mailOf(message, who);
        return {
          to: `${who.to.join(', ')} by ${server.host}:${server.port}`,
          body: `From: ${who.from}\nTo: ${who.to.join(', ')}\nSubject: ${subject}\n\n${text}`,
        };
      },
      send: (message, signal) => send({ mail: mailOf(message, who), server, place }, signal),
    };
  },
};

interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly isSecure: boolean;
}

interface Sending {
  readonly mail: ReturnType<typeof mailOf>;
  readonly server: MailServer;
  readonly place: NotifyPlace;
}

async function send({ mail, server, place }: Sending, signal: CancelSignal): Promise<Sent> {
  // Loaded on use: most homes send no mail.
  const { createTransport } = await import('nodemailer');
  const { timeoutMs, secrets } = place;
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.isSecure,
    // Credentials never go in the clear.
    requireTLS: secrets.user !== undefined,
    ...(secrets.user !== undefined && { auth: { user: secrets.user, pass: secrets.password ?? '' } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const limit = timeLimit(signal, TIMEOUTS_OF_A_MAIL * timeoutMs);
  try {
    const { messageId } = await Promise.race([transport.sendMail(mail), limit.reached]);
    return { state: 'sent', receipt: messageId };
  } catch (error) {
    return failureOf(error, `${server.host}:${server.port}`, secrets);
  } finally {
    limit.clear();
    transport.close();
  }
}

/** A mail is a dialogue: greeting, TLS, login, the mail. */
const TIMEOUTS_OF_A_MAIL = 4;

/** Ends what a server draws out with a byte now and then, and what is interrupted. */
function timeLimit(signal: CancelSignal, ms: number) {
  let clear = () => {};
  const reached = new Promise<never>((_, reject) => {
    const stop = () => reject(new Error('interrupted'));
    if (signal.aborted) return stop();
    const timer = setTimeout(() => reject(new Error(`not done within ${ms / 1000} seconds`)), ms);
    signal.addEventListener('abort', stop, { once: true });
    clear = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
  });
  return { reached, clear: () => clear() };
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

function mailServer(text: string): MailServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const port = url && (url.port === '' ? PORTS[url.protocol] : Number(url.port));
  if (url && port && PORTS[url.protocol] !== undefined && url.hostname !== '' && url.username === '')
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port,
      isSecure: url.protocol === 'smtps:',
    };
  throw new NightmarkError('NOTIFY_BAD_ADDRESS', 'The mail server is no address without user and password.', {
    hint: 'For example: smtp://mail.example.org:587 or smtps://mail.example.org',
  });
}

export default email;
