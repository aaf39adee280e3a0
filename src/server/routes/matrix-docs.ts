import type { RouteDescription } from '../describe/route-config.ts';
import { anything, mapOf } from '../describe/schema.ts';

/** What may be asked about the stored tests of matrices; pictures and tables take the parameters of the explorer's address. */
export const MATRIX_DOCS = {
  facts: { summary: 'Settings with their values, and KPIs, of the stored tests', answer: mapOf(anything) },
  entries: { summary: 'All stored tests as columns', answer: mapOf(anything) },
  entryTable: { summary: 'The chosen tests as a table', answer: { media: ['text/csv'] } },
  pivotTable: { summary: 'The chosen tests as a pivot table', answer: { media: ['text/csv'] } },
  svg: { summary: 'The chart of the chosen tests', answer: { media: ['image/svg+xml'] } },
  png: { summary: 'The same as pixels', answer: { media: ['image/png'] } },
} as const satisfies Readonly<Record<string, RouteDescription>>;
