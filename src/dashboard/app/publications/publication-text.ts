import type { PublicationRecord } from './publication-book.ts';

/** "not published to git:... since ...: why", or nothing where all is well. */
export function publicationProblem({ target, failure, failingSince, at, tries }: PublicationRecord): string {
  if (failure === undefined) return '';
  const since = new Date(failingSince ?? at).toISOString().slice(0, 16).replace('T', ' ');
  const often = tries === undefined || tries < 2 ? '' : ` after ${tries} tries`;
  return `The pages do not come to ${target} since ${since} UTC${often}: ${failure} The next night tries again, and so does "nightmark publish".`;
}
