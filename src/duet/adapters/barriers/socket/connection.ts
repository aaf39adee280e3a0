import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { BarrierRequest } from '../../../core/barrier.ts';
import {
  addressOf,
  markOf,
  ownPath,
  prepareFolder,
  removeDead,
  removeName,
  takeName,
  usersFolder,
} from './address.ts';
import { onMessages, send } from './lines.ts';
import { Meeting, type Member, type Message, type Terms } from './meeting.ts';

/** Our place in a meeting, as its holder or as a guest. */
export interface Seat {
  arrive(): void;
  /** Resolves when everything that was said has been heard. */
  leave(): Promise<void>;
}

export interface Listener {
  onMessage(message: Message): void;
  /** The meeting is gone, without a word. */
  onLost(): void;
}

/** Takes part in the meeting of that name; where there is none, holds it. */
export async function takeSeat(request: BarrierRequest, listener: Listener): Promise<Seat> {
  const { name, dir = usersFolder() } = request;
  prepareFolder(dir);
  const address = addressOf(dir, name);
  for (;;) {
    const mark = markOf(address);
    const socket = await tryConnect(address);
    if (socket !== 'refused' && socket !== 'missing') return asGuest(socket, request, listener);
    if (socket === 'refused') removeDead(dir, address, mark);
    const seat = await tryHold({ ...request, dir, address }, listener);
    if (seat) return seat;
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

function asGuest(socket: Socket, { parties, stays }: BarrierRequest, listener: Listener): Seat {
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
async function tryHold(
  { address, dir, parties, stays }: Terms & { readonly address: string; readonly dir: string },
  listener: Listener,
): Promise<Seat | undefined> {
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
  const ourselves: Member = { tell: (message) => listener.onMessage(message) };
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
  const guest: Member = { tell: (message) => send(socket, message) };
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
