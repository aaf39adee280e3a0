import type { JobList } from '../../../jobs/core/job-documents.ts';
import type { AskDocument } from './document-addresses.ts';
import type { SiteAddress } from './site-addresses.ts';

/** Lines of a log that the page of a job asks for: see web/pages/jobs/logs. */
const LOG_TAIL = 500;
const OVER = new Set(['FINISHED', 'CANCELED', 'FAILED']);

/** The newest jobs: their list, which is its first page, and of each what its page shows. */
export async function* jobAddresses(ask: AskDocument): AsyncIterable<SiteAddress> {
  const list = (await ask('jobs')) as JobList | undefined;
  if (!list || list.jobs.length === 0) return;
  yield { address: 'jobs' };
  for (const job of list.jobs) {
    const id = encodeURIComponent(job.id);
    // One that is over changes only by what people say of it, which the list has, too.
    const known = OVER.has(job.status) ? { facts: job } : {};
    yield { address: `jobs/${id}`, jobId: job.id, ...known };
    yield { address: `jobs/${id}/logs?tail=${LOG_TAIL}`, ...known };
    yield { address: `jobs/${id}/files`, ...known };
    yield { address: `jobs/series?id=${id}`, ...known };
  }
}
