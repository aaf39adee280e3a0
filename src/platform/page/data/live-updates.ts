import { type Topic, theSource } from './source.ts';

/** A page is refreshed at most so often, however much happens. */
const PAUSE_MS = 400;
const listeners = new Map<Topic, Set<() => void>>();
const waiting = new Set<Topic>();
let events: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let known: Readonly<Record<string, string>> = {};
/** A restarted server, or a proxy that cuts long connections, is back before this: nothing is reported. */
const DISCONNECTED_AFTER_MS = 3_000;
const RECONNECT_MS = 5_000;
const connectionListeners = new Set<(disconnectedSince: number | undefined) => void>();
let disconnectedSince: number | undefined;
let disconnectTimer: ReturnType<typeof setTimeout> | undefined;

/** Calls back when something of the topic has changed; returns how to stop. */
export function onUpdate(topic: Topic, listener: () => void): () => void {
  const group = listeners.get(topic) ?? new Set();
  listeners.set(topic, group.add(listener));
  if (events === undefined && theSource().isLive) listen();
  return () => {
    group.delete(listener);
  };
}

/** Calls back with the time since which the server does not answer, and with undefined when it answers again. */
export function onConnection(onlooker: (since: number | undefined) => void): () => void {
  connectionListeners.add(onlooker);
  onlooker(disconnectedSince);
  return () => {
    connectionListeners.delete(onlooker);
  };
}

/** The browser connects again by itself, unless the server refused the stream. */
function listen(): void {
  document.addEventListener('visibilitychange', scheduleRefresh);
  connect();
}

function connect(): void {
  events = new EventSource('/api/events');
  events.addEventListener('open', onOpen);
  events.addEventListener('error', () => {
    const since = Date.now();
    disconnectTimer ??= setTimeout(() => reportConnection(since), DISCONNECTED_AFTER_MS);
    if (events?.readyState === EventSource.CLOSED) setTimeout(connect, RECONNECT_MS);
  });
  events.addEventListener('tokens', (event) => {
    const tokens = JSON.parse((event as MessageEvent<string>).data) as Record<string, string>;
    for (const [topic, token] of Object.entries(tokens)) {
      if (known[topic] !== undefined && known[topic] !== token) waiting.add(topic as Topic);
    }
    known = { ...known, ...tokens };
    scheduleRefresh();
  });
}

/** What was missed meanwhile is fetched: a restarted server counts from the start again. */
function onOpen(): void {
  if (disconnectTimer === undefined) return;
  clearTimeout(disconnectTimer);
  disconnectTimer = undefined;
  for (const topic of listeners.keys()) waiting.add(topic);
  reportConnection(undefined);
  scheduleRefresh();
}

function reportConnection(since: number | undefined): void {
  disconnectedSince = since;
  for (const onlooker of connectionListeners) onlooker(since);
}

/** A hidden page waits: it catches up when it is visible again. */
function scheduleRefresh(): void {
  if (timer !== undefined || waiting.size === 0 || document.visibilityState === 'hidden') return;
  timer = setTimeout(() => {
    timer = undefined;
    const topics = [...waiting];
    waiting.clear();
    for (const topic of topics) for (const listener of listeners.get(topic) ?? []) listener();
  }, PAUSE_MS);
}
