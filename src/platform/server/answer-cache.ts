/** A cache of answers that are expensive and often requested while their source stays the same. */
export interface AnswerCache {
  /** The text that was made for this key and token, or a new one. */
  answer(key: string, token: string, make: () => Promise<string | undefined>): Promise<string | undefined>;
}

interface Kept {
  readonly token: string;
  readonly madeAt: number;
  readonly text: string;
}

/** A token may miss a change that leaves all counts as they were: nothing is kept for longer. */
const KEPT_MS = 60_000;

/** Evicts the oldest first when there is more text than `most` characters. */
export function answerCache(now: () => number, most = 16 * 1024 * 1024): AnswerCache {
  const kept = new Map<string, Kept>();
  let size = 0;
  const evict = (key: string) => {
    size -= kept.get(key)?.text.length ?? 0;
    kept.delete(key);
  };
  return {
    async answer(key, token, make) {
      const known = kept.get(key);
      if (known?.token === token && now() - known.madeAt < KEPT_MS) return known.text;
      const madeAt = now();
      const text = await make();
      evict(key);
      if (text === undefined || text.length > most) return text;
      kept.set(key, { token, madeAt, text });
      size += text.length;
      for (const oldest of kept.keys()) {
        if (size <= most) break;
        evict(oldest);
      }
      return text;
    },
  };
}
