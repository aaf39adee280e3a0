import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import {
  addressOf,
  markOf,
  ownPath,
  prepareFolder,
  removeDead,
  removeName,
  takeName,
  usersFolder,
} from './barrier-address.ts';
import { Meeting, type Member, type Message, type Terms } from './barrier-meeting.ts';

export interface BarrierRequest {
  /** Any text; parties that give the same one meet. */
  readonly name: string;
  /** How many have to arrive, ourselves included. */
  readonly parties: number;
  /** For many rounds (true), or for a single one. */
  readonly stays: boolean;
  /** A folder of this user's, the same for all parties; made when it is missing. Absent: one for all of this user's. */
  readonly dir?: string;
}

/** Our place in a meeting, as its host or as a guest. */
export interface Membership {
  arrive(): void;
  /** Resolves when every message has been delivered. */
  leave(): Promise<void>;
}

interface Listener {
  onMessage(message: Message): void;
  /** The connection to the meeting is lost. */
  onLost(): void;
}

/** Joins the meeting of that name; where there is none, hosts it. */
export async function joinMeeting(request: BarrierRequest, listener: Listener): Promise<Membership> {
  const { name, dir = usersFolder() } = request;
  prepareFolder(dir);
  const address = addressOf(dir, name);
  for (;;) {
    const mark = markOf(address);
    const socket = await tryConnect(address);
    if (socket !== 'refused' && socket !== 'missing') return joinAsGuest(socket, request, listener);
    if (socket === 'refused') removeDead(dir, address, mark);
    const membership = await tryHost({ ...request, dir, address }, listener);
    if (membership) return membership;
  }
}

async function tryConnect(address: string): Promise<Socket | 'refused' | 'missing'> {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'missing';
    if (code === 'ECONNREFUSED' || code === 'ECONNRESET') return 'refused';
    throw error;
  }
}

function joinAsGuest(socket: Socket, { parties, stays }: BarrierRequest, listener: Listener): Membership {
  send(socket, { type: 'join', parties, stays });
  onMessages<Message>(socket, (message) => listener.onMessage(message));
  socket.on('close', () => listener.onLost());
  return {
    arrive: () => send(socket, { type: 'arrive' }),
    async leave() {
      if (socket.destroyed) return;
      socket.removeAllListeners('close');
      socket.destroy();
    },
  };
}

type GuestMessage = ({ readonly type: 'join' } & Terms) | { readonly type: 'arrive' };

/** Undefined when another was faster. */
async function tryHost(
  { address, dir, parties, stays }: Terms & { readonly address: string; readonly dir: string },
  listener: Listener,
): Promise<Membership | undefined> {
  const guests = new Set<Socket>();
  const server = createServer();
  const meeting = new Meeting({ parties, stays }, () => {
    removeName(address);
    server.close();
  });
  server.on('connection', (socket) => {
    if (meeting.hasEnded) return socket.destroy();
    guests.add(socket);
    serveGuest(socket, meeting);
    socket.on('close', () => guests.delete(socket));
    return socket;
  });
  const own = ownPath(dir);
  server.listen(own);
  await once(server, 'listening');
  if (!takeName(own, address)) {
    for (const guest of guests) guest.destroy();
    server.close();
    return undefined;
  }
  const ourselves: Member = { send: (message) => listener.onMessage(message) };
  meeting.join(ourselves, { parties, stays });
  return {
    arrive: () => meeting.arrive(ourselves),
    async leave() {
      if (!meeting.hasEnded) removeName(address);
      meeting.leave(ourselves);
      server.close();
      await Promise.all([...guests].map(endGently));
    },
  };
}

function serveGuest(socket: Socket, meeting: Meeting): void {
  const guest: Member = { send: (message) => send(socket, message) };
  onMessages<GuestMessage>(socket, (message) => {
    if (meeting.hasEnded) socket.destroy();
    else if (message.type === 'join') meeting.join(guest, message);
    else meeting.arrive(guest);
  });
  socket.on('close', () => meeting.leave(guest));
}

/** What was written is delivered; a guest that does not listen is not waited for. */
async function endGently(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const closed = once(socket, 'close').catch(() => {});
  const timer = setTimeout(() => socket.destroy(), 1_000);
  socket.end();
  await closed;
  clearTimeout(timer);
}

/** Calls back for each line of JSON that comes in; other lines are ignored. */
function onMessages<T>(socket: Socket, take: (message: T) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      let message: T;
      try {
        message = JSON.parse(line) as T;
      } catch {
        continue;
      }
      take(message);
    }
  });
  // An error closes the socket: "close" is handled.
  socket.on('error', () => {});
}

function send(socket: Socket, message: unknown): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}
