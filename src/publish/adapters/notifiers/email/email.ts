import { excerpt } from '../../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';
import { textHash } from '../../../../platform/core/text/change-hash.ts';
import { visible } from '../../../../platform/core/text/terminal-text.ts';
import { cutText, type Notice } from '../../../core/notices/notice.ts';
import type {
  Notifier,
  NotifyPlace,
  NotifySecrets,
  OutgoingMessage,
  Sent,
} from '../../../core/notices/notifier.ts';

/** Mail by SMTP. Later notices of a topic reply to its first mail, so that mail programs show them as one thread. */
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
  const limit = timeLimit(signal, REQUESTS_PER_MAIL * timeoutMs);
  try {
    // A dialogue that has begun cannot be stopped: what was cancelled before is not begun.
    const sending = signal.aborted ? limit.reached : transport.sendMail(mail);
    const { messageId } = await Promise.race([sending, limit.reached]);
    return { state: 'sent', receipt: messageId };
  } catch (error) {
    return mailFailure(error, `${server.host}:${server.port}`, secrets);
  } finally {
    limit.clear();
    transport.close();
  }
}

/** A mail is a dialogue: greeting, TLS, login, the mail. */
const REQUESTS_PER_MAIL = 4;

/** Bounds the whole dialogue: a server may send a byte now and then without end. */
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
  throw new NightmarkError(
    'NOTIFY_BAD_ADDRESS',
    'The mail server must be an address without user and password.',
    {
      hint: 'For example: smtp://mail.example.org:587 or smtps://mail.example.org',
    },
  );
}

export default email;

export interface Correspondents {
  readonly from: string;
  readonly to: readonly string[];
}

const LONGEST = { subject: 180, text: 50_000 } as const;

/** A notice as a mail of plain text, with its charts beside it. */
function mailOf({ notice, earlier, pictures }: OutgoingMessage, { from, to }: Correspondents) {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const { topic, state, at, project, title } = notice;
  return {
    from: { name: 'Nightmark', address: from },
    to: to.map((address) => ({ name: '', address })),
    // One line, whatever is in a title: no header can begin in it.
    subject: cutText(visible(`[${project}] ${title}`), LONGEST.subject),
    text: bodyOf(notice),
    // The same notice has the same id: a mail that arrives twice is shown once.
    messageId: `<${textHash(JSON.stringify([topic, state, at, title, to]))}.${at}@${domain}>`,
    date: new Date(at),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Nightmark-Severity': notice.severity },
    ...(earlier !== undefined && { inReplyTo: earlier, references: [earlier] }),
    attachments: pictures.map(({ name, png }) => ({
      filename: name,
      content: Buffer.from(png),
      contentType: 'image/png',
    })),
  };
}

function bodyOf({ title, text, facts, link, mentions }: Notice): string {
  const parts = [
    title,
    text,
    facts.map(({ name, value }) => `${name}: ${value}`).join('\n'),
    mentions.length === 0 ? '' : `Please look at it: ${mentions.map(visible).join(', ')}`,
    link ?? '',
  ];
  return `${cutText(parts.filter((part) => part !== '').join('\n\n'), LONGEST.text)}\n`;
}

/** Plain addresses, one each. A line break would begin a header of its own, a comma would add a recipient. */
function mailAddresses(addresses: readonly string[]): readonly string[] {
  for (const address of addresses) {
    if (address.length <= 254 && /^[^\s\p{Cc}@,;:<>"()[\]\\]+@[^\s\p{Cc}@,;:<>"()[\]\\]+$/u.test(address))
      continue;
    throw new NightmarkError(
      'NOTIFY_BAD_ADDRESS',
      `"${visible(address.slice(0, 80))}" is not a mail address.`,
      {
        hint: 'A plain one, such as perf@example.org; several are a list.',
      },
    );
  }
  return addresses;
}

/** Classifies a failure by the reply code of the server, else by what happened to the connection. */
function mailFailure(error: unknown, server: string, secrets: NotifySecrets): Sent {
  const { responseCode, code = '' } = error as { responseCode?: number; code?: string };
  let reply = excerpt(messageOf(error));
  for (const secret of [secrets.password, secrets.user]) {
    if (secret) reply = reply.replaceAll(secret, '***');
  }
  const message = `${server}${reply === '' ? `: ${code}` : reply}`;
  if (code === 'EAUTH' || code === 'ETLS' || /CERT|SELF_SIGNED|UNABLE_TO_/.test(code))
    return { state: 'blocked', message };
  if (responseCode === undefined || responseCode < 500) return { state: 'busy', message };
  // 552 and 554 are about this mail; an unknown or refused recipient can be corrected.
  return { state: responseCode === 552 || responseCode === 554 ? 'refused' : 'blocked', message };
}
