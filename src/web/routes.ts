import type { ComponentType } from 'preact';
import type { PageRoute } from '../platform/core/site/page-routes.ts';
import type { RouteParameters } from '../platform/page/router/match-route.ts';

export type PageComponent = ComponentType<{ parameters: RouteParameters }>;

/** Every page by its address, loaded on navigation: the first load holds one page only. */
export const ROUTES: Readonly<Record<PageRoute, () => Promise<PageComponent>>> = {
  '/': async () => (await import('../dashboard/page/home/home-page.tsx')).HomePage,
  '/experiments/:name': async () =>
    (await import('../dashboard/page/experiment/experiment-page.tsx')).ExperimentPage,
  '/runs': async () => (await import('../dashboard/page/runs/runs-page.tsx')).RunsPage,
  '/runs/:id': async () => (await import('../dashboard/page/run/run-page.tsx')).RunPage,
  '/runs/:id/logs/:kind/:task/:stage': async () =>
    (await import('../dashboard/page/log/log-page.tsx')).LogPage,
  '/compare': async () => (await import('../judge/page/compare/compare-page.tsx')).ComparePage,
  '/compare/:pair*': async () => (await import('../judge/page/compare/compare-page.tsx')).ComparePage,
  '/changes': async () => (await import('../judge/page/changes/changes-page.tsx')).ChangesPage,
  '/changes/:id': async () => (await import('../judge/page/change/change-page.tsx')).ChangePage,
  '/duets': async () => (await import('../duet/page/duets-page.tsx')).DuetsPage,
  '/duets/:id': async () => (await import('../duet/page/duet-page.tsx')).DuetPage,
  '/matrix': async () => (await import('../matrix/page/matrix-page.tsx')).MatrixPage,
  '/curves': async () => (await import('../curves/page/curves-page.tsx')).CurvesPage,
  '/jobs': async () => (await import('../jobs/page/jobs-page.tsx')).JobsPage,
  '/jobs/:id': async () => (await import('../jobs/page/job/job-page.tsx')).JobPage,
  '/points': async () => (await import('../metrics/page/points-page.tsx')).PointsPage,
  '/machines': async () => (await import('../dashboard/page/machines/machines-page.tsx')).MachinesPage,
  '/machines/:id': async () => (await import('../dashboard/page/machines/machine-page.tsx')).MachinePage,
  '/server': async () => (await import('../server/page/server-page.tsx')).ServerPage,
  '/api/docs': async () => (await import('../server/page/api-docs-page.tsx')).ApiDocsPage,
};
