import { useRef, useState } from 'preact/hooks';
import { documentRef, SourceProblem, theSource } from '../../../platform/page/data/source.ts';
import type { DuetVerdicts } from '../../app/read-duet-view.ts';

/** Verdicts of duets, which are read one after the other when they come into sight. */
export interface VerdictBook {
  /** A text says why there is none. */
  get(id: string): DuetVerdicts | string | undefined;
  want(ids: readonly string[]): void;
  readonly isBusy: boolean;
}

export function useVerdicts(): VerdictBook {
  const [found, setFound] = useState<ReadonlyMap<string, DuetVerdicts | string>>(new Map());
  const [isBusy, setBusy] = useState(true);
  const asked = useRef(new Set<string>());
  const waiting = useRef<string[]>([]);
  const isRunning = useRef(false);
  const next = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    for (let id = waiting.current.shift(); id !== undefined; id = waiting.current.shift()) {
      const mine = id;
      const told = await fetchOne(mine);
      setFound((before) => new Map(before).set(mine, told));
    }
    isRunning.current = false;
    setBusy(false);
  };
  return {
    get: (id) => found.get(id),
    want(ids) {
      const missing = ids.filter((id) => !asked.current.has(id));
      if (missing.length === 0) return;
      for (const id of missing) asked.current.add(id);
      setBusy(true);
      waiting.current = [...missing, ...waiting.current];
      void next();
    },
    isBusy,
  };
}

async function fetchOne(id: string): Promise<DuetVerdicts | string> {
  try {
    const { path } = documentRef<DuetVerdicts>(['duets', id, 'verdicts']);
    return (await theSource().json(path, new AbortController().signal)) as DuetVerdicts;
  } catch (error) {
    return error instanceof SourceProblem ? error.message : String(error);
  }
}
