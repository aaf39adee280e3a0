/** What core and app need of an AbortSignal; the real one fits. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export const NEVER_CANCELLED: CancelSignal = {
  aborted: false,
  addEventListener() {},
  removeEventListener() {},
};

/** A signal of our own that also follows another one, until it is let go. */
export interface StopSwitch {
  readonly signal: CancelSignal;
  stop(): void;
  /** No longer listens to the other signal. */
  release(): void;
}

export function stopSwitch(parent?: CancelSignal): StopSwitch {
  const listeners = new Set<() => void>();
  let isStopped = parent?.aborted ?? false;
  const stop = () => {
    if (isStopped) return;
    isStopped = true;
    for (const listener of [...listeners]) listener();
    listeners.clear();
  };
  parent?.addEventListener('abort', stop, { once: true });
  return {
    signal: {
      get aborted() {
        return isStopped;
      },
      addEventListener: (_type, listener) => void listeners.add(listener),
      removeEventListener: (_type, listener) => void listeners.delete(listener),
    },
    stop,
    release: () => parent?.removeEventListener('abort', stop),
  };
}
