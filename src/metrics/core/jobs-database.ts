/** Where points of jobs are kept. What is not finite is kept there, too: a loss that became NaN is a result. */
export const JOBS_DATABASE = 'jobs';
