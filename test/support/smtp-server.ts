import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { createSecureContext, TLSSocket } from 'node:tls';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came, without the last dot. */
  readonly text: string;
  readonly isEncrypted: boolean;
  /** "user:password", where somebody said so. */
  readonly login?: string;
}

export interface SmtpServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Answers to give instead of the usual ones, the next first: [command, answer]. */
  readonly surprises: [command: string, answer: string][];
  stop(): Promise<void>;
}

export interface SmtpRules {
  /** With them STARTTLS is offered, and AUTH after it. */
  readonly key?: string;
  readonly cert?: string;
  readonly isSilent?: boolean;
}

/** A small mail server that keeps what it gets. */
export async function startSmtp(rules: SmtpRules = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const surprises: SmtpServer['surprises'] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    if (rules.isSilent !== true) new Session(socket, { rules, mails, surprises }).begin();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    surprises,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Shared {
  readonly rules: SmtpRules;
  readonly mails: ReceivedMail[];
  readonly surprises: SmtpServer['surprises'];
}

class Session {
  #socket: Socket;
  readonly #shared: Shared;
  #lines: AsyncIterator<string> | undefined;
  #from = '';
  #to: string[] = [];
  #login: string | undefined;

  constructor(socket: Socket, shared: Shared) {
    this.#socket = socket;
    this.#shared = shared;
  }

  begin(): void {
    this.#say('220 test ready');
    void this.#listen().catch(() => this.#socket.destroy());
  }

  #say(text: string): void {
    this.#socket.write(`${text}\r\n`);
  }

  async #next(): Promise<string | undefined> {
    this.#lines ??= createInterface({ input: this.#socket })[Symbol.asyncIterator]();
    const { value, done } = await this.#lines.next();
    return done === true ? undefined : (value as string);
  }

  async #listen(): Promise<void> {
    for (let line = await this.#next(); line !== undefined; line = await this.#next()) {
      const word = (line.split(' ')[0] ?? '').toUpperCase();
      const surprise = this.#shared.surprises.findIndex(([command]) => command === word);
      if (surprise >= 0) this.#say(this.#shared.surprises.splice(surprise, 1)[0]?.[1] ?? '');
      else await this.#obey(word, line);
      if (word === 'QUIT') return;
    }
  }

  async #obey(word: string, line: string): Promise<void> {
    const isEncrypted = this.#socket instanceof TLSSocket;
    if (word === 'EHLO') {
      const offers = this.#shared.rules.key === undefined ? [] : [isEncrypted ? 'AUTH PLAIN' : 'STARTTLS'];
      for (const offer of ['test', ...offers]) this.#say(`250-${offer}`);
      this.#say('250 8BITMIME');
    } else if (word === 'STARTTLS') this.#encrypt();
    else if (word === 'AUTH') {
      const [, user = '', password = ''] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString('utf8')
        .split('\0');
      this.#login = `${user}:${password}`;
      this.#say(password === 'wrong' ? '535 5.7.8 no such password' : '235 welcome');
    } else if (word === 'MAIL') {
      this.#from = /<(.*?)>/.exec(line)?.[1] ?? '';
      this.#say('250 ok');
    } else if (word === 'RCPT') {
      this.#to.push(/<(.*?)>/.exec(line)?.[1] ?? '');
      this.#say('250 ok');
    } else if (word === 'DATA') await this.#take(isEncrypted);
    else this.#say(word === 'QUIT' ? '221 bye' : '250 ok');
  }

  async #take(isEncrypted: boolean): Promise<void> {
    this.#say('354 go on');
    const lines: string[] = [];
    for (let line = await this.#next(); line !== undefined && line !== '.'; line = await this.#next())
      lines.push(line.startsWith('.') ? line.slice(1) : line);
    this.#shared.mails.push({
      from: this.#from,
      to: this.#to,
      text: lines.join('\n'),
      isEncrypted,
      ...(this.#login !== undefined && { login: this.#login }),
    });
    this.#to = [];
    this.#say('250 kept');
  }

  #encrypt(): void {
    const { key = '', cert = '' } = this.#shared.rules;
    this.#say('220 go on');
    this.#lines = undefined;
    this.#socket.removeAllListeners('data').removeAllListeners('readable');
    this.#socket = new TLSSocket(this.#socket, {
      isServer: true,
      secureContext: createSecureContext({ key, cert }),
    });
    this.#socket.on('error', () => {});
  }
}
