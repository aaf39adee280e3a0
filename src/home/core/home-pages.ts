/** Nights in a sparkline of the first page. */
export const SPARK_NIGHTS = 30;
/** Values of the first page that are fetched together. */
export const VALUES_PER_PAGE = 100;

/** Runs of an experiment that its page lists; older ones are on the page of all runs. */
export const RECENT_RUNS = 60;
