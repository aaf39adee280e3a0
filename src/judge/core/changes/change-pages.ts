/** Changes whose surroundings are fetched together. */
export const AROUND_PER_PAGE = 50;
