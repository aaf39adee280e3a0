import type { ComponentType } from 'preact';
import type { PageRoute } from '../core/site/page-routes.ts';
import type { RouteParameters } from './router/match-route.ts';

export type PageComponent = ComponentType<{ parameters: RouteParameters }>;

/** Every page by its address, fetched when somebody goes there: the first load holds one page only. */
export const ROUTES: Readonly<Record<PageRoute, () => Promise<PageComponent>>> = {
  '/': async () => (await import('./pages/home/home-page.tsx')).HomePage,
  '/experiments/:name': async () => (await import('./pages/experiment/experiment-page.tsx')).ExperimentPage,
  '/runs': async () => (await import('./pages/runs/runs-page.tsx')).RunsPage,
  '/runs/:id': async () => (await import('./pages/run/run-page.tsx')).RunPage,
  '/runs/:id/logs/:kind/:task/:stage': async () => (await import('./pages/log/log-page.tsx')).LogPage,
  '/compare': async () => (await import('./pages/compare/compare-page.tsx')).ComparePage,
  '/compare/:pair*': async () => (await import('./pages/compare/compare-page.tsx')).ComparePage,
  '/changes': async () => (await import('./pages/changes/changes-page.tsx')).ChangesPage,
  '/changes/:id': async () => (await import('./pages/change/change-page.tsx')).ChangePage,
  '/duets': async () => (await import('./pages/duets/duets-page.tsx')).DuetsPage,
  '/duets/:id': async () => (await import('./pages/duet/duet-page.tsx')).DuetPage,
  '/matrix': async () => (await import('./pages/matrix/matrix-page.tsx')).MatrixPage,
  '/curves': async () => (await import('./pages/curves/curves-page.tsx')).CurvesPage,
  '/jobs': async () => (await import('./pages/jobs/jobs-page.tsx')).JobsPage,
  '/jobs/:id': async () => (await import('./pages/job/job-page.tsx')).JobPage,
  '/points': async () => (await import('./pages/points/points-page.tsx')).PointsPage,
  '/machines': async () => (await import('./pages/machines/machines-page.tsx')).MachinesPage,
  '/machines/:id': async () => (await import('./pages/machine/machine-page.tsx')).MachinePage,
  '/server': async () => (await import('./pages/server/server-page.tsx')).ServerPage,
  '/api/docs': async () => (await import('./pages/api-docs/api-docs-page.tsx')).ApiDocsPage,
};
