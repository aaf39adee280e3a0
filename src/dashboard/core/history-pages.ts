/** Charts on a page of an experiment. */
export const CHARTS_PER_PAGE = 12;
