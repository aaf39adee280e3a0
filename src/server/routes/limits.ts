/** Rows on the first page, and after "show more". */
export const EXPERIMENTS_SHOWN = { first: 300, all: 10_000 } as const;
export const RUNS_PER_PAGE = 60;
/** Most that one request of the API gets. */
export const MAX_RUNS = 500;
