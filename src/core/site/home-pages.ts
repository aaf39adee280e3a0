/** Nights in a sparkline of the first page. */
export const SPARK_NIGHTS = 30;
/** Values of the first page that are fetched together. */
export const VALUES_PER_PAGE = 100;
