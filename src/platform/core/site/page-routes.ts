/** Addresses of all pages. ":name" stands for one part, a last ":name*" for the rest. */
export const PAGE_ROUTES = [
  '/',
  '/experiments/:name',
  '/runs',
  '/runs/:id',
  '/runs/:id/logs/:kind/:task/:stage',
  '/compare',
  '/compare/:pair*',
  '/changes',
  '/changes/:id',
  '/duets',
  '/duets/:id',
  '/matrix',
  '/curves',
  '/jobs',
  '/jobs/:id',
  '/points',
  '/machines',
  '/machines/:id',
  '/server',
  '/api/docs',
] as const;

export type PageRoute = (typeof PAGE_ROUTES)[number];
