import type { Job } from '../job.ts';
import type { ComparedCells, ComparedDocument } from '../job-documents.ts';
import { type ComparedRow, compareJobs } from './compare-jobs.ts';

/** What `nightmark job diff` compares, as a document. */
export function comparedDocument(jobs: readonly Job[], now: number, isCut: boolean): ComparedDocument {
  return {
    jobs: jobs.map(({ id, name, experiment }) => ({ id, name, experiment })),
    isCut,
    sections: compareJobs(jobs, now).map(({ title, rows }) => ({ title, rows: rows.map(cellsOf) })),
  };
}

function cellsOf({ key, values, isEqual, change }: ComparedRow): ComparedCells {
  const missing = values.flatMap((value, place) => (value === undefined ? [place] : []));
  return {
    key,
    values: values.map((value) => value ?? null),
    ...(missing.length > 0 && { missing }),
    isEqual,
    ...(change !== undefined && { change }),
  };
}
