import { useEffect, useState } from 'preact/hooks';
import { documentRef, SourceProblem, theSource } from '../../platform/page/data/source.ts';
import type { CurveData } from '../app/curves-view.ts';

export type TaskData = CurveData | SourceProblem;

export interface CurveQuery {
  readonly x: string | undefined;
  readonly y: string | undefined;
  readonly withSeeds: boolean;
}

const AT_ONCE = 3;

/** The curves of each task, one request each: the first ones are drawn while the others come. */
export function useTaskData(
  tasks: readonly string[],
  query: CurveQuery,
  /** Asked for again when this is another one. */
  version: unknown,
): ReadonlyMap<string, TaskData> {
  const [found, setFound] = useState<ReadonlyMap<string, TaskData>>(new Map());
  const [shown, setShown] = useState('');
  const key = JSON.stringify([query.x, query.y, query.withSeeds]);
  useEffect(() => {
    const control = new AbortController();
    const waiting = [...tasks];
    // Other columns: nothing of the old ones may stand beside the new ones.
    if (shown !== key) setFound(new Map());
    setShown(key);
    const next = async (): Promise<void> => {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
        const data = await fetchTask(task, query, control.signal);
        if (control.signal.aborted) return;
        const one = task;
        setFound((before) => new Map(before).set(one, data));
      }
    };
    for (let lane = 0; lane < AT_ONCE; lane++) void next();
    return () => control.abort();
  }, [tasks.join('\0'), key, version]);
  return found;
}

async function fetchTask(
  task: string,
  { x, y, withSeeds }: CurveQuery,
  signal: AbortSignal,
): Promise<TaskData> {
  const { path } = documentRef<CurveData>(['curves', 'data'], {
    query: { task, x, y, seeds: withSeeds ? '1' : undefined },
  });
  try {
    return (await theSource().json(path, signal)) as CurveData;
  } catch (error) {
    return error instanceof SourceProblem ? error : new SourceProblem(String(error));
  }
}
