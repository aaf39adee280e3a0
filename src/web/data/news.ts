import type { Topic } from './document.ts';
import { theSource } from './source.ts';

/** A page is drawn anew at most so often, however much happens. */
const PAUSE_MS = 400;
const listeners = new Map<Topic, Set<() => void>>();
const waiting = new Set<Topic>();
let events: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let known: Readonly<Record<string, string>> = {};

/** Calls back when something of the topic has changed; gives how to stop. */
export function onNews(topic: Topic, listener: () => void): () => void {
  const group = listeners.get(topic) ?? new Set();
  listeners.set(topic, group.add(listener));
  if (events === undefined && theSource().isLive) listen();
  return () => {
    group.delete(listener);
  };
}

/** The browser connects again by itself; what was missed shows in the tokens that the server sends first. */
function listen(): void {
  events = new EventSource('/api/events');
  events.addEventListener('tokens', (event) => {
    const tokens = JSON.parse((event as MessageEvent<string>).data) as Record<string, string>;
    for (const [topic, token] of Object.entries(tokens)) {
      if (known[topic] !== undefined && known[topic] !== token) waiting.add(topic as Topic);
    }
    known = { ...known, ...tokens };
    plan();
  });
  document.addEventListener('visibilitychange', plan);
}

/** Nobody looks at a hidden page: it catches up when it is seen again. */
function plan(): void {
  if (timer !== undefined || waiting.size === 0 || document.visibilityState === 'hidden') return;
  timer = setTimeout(() => {
    timer = undefined;
    const topics = [...waiting];
    waiting.clear();
    for (const topic of topics) for (const listener of listeners.get(topic) ?? []) listener();
  }, PAUSE_MS);
}
