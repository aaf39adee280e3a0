import { joinPath } from '../../platform/core/path.ts';

/** What a run keeps beside the tests; nothing in it looks like a test. */
export function matrixPlaces(resultsDir: string) {
  const own = joinPath(resultsDir, '.nightmark');
  return {
    own,
    lock: joinPath(own, 'matrix.lock'),
    /** The id of the run that goes on, or was cut off. */
    current: joinPath(own, 'matrix-current'),
    journal: (runId: string) => joinPath(own, 'matrix', `${runId}.jsonl`),
    plan: (runId: string) => joinPath(own, 'matrix', `${runId}.plan.json`),
    /** Logs of attempts whose folder was made anew. */
    oldLog: (folder: string, number: number) => joinPath(own, 'failed', `${folder}.${number}.log`),
  };
}
