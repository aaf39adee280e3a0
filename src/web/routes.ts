import type { ComponentType } from 'preact';
import type { PageRoute } from '../core/site/page-routes.ts';
import { UnknownPage } from './pages/unknown/unknown-page.tsx';
import type { RouteParameters } from './router/match-route.ts';

export type PageComponent = ComponentType<{ parameters: RouteParameters }>;

/** Every page by its address, fetched when somebody goes there: the first load holds one page only. */
export const ROUTES: Readonly<Record<PageRoute, () => Promise<PageComponent>>> = {
  '/': async () => (await import('./pages/home/home-page.tsx')).HomePage,
  '/experiments/:name': later,
  '/runs': later,
  '/runs/:id': later,
  '/runs/:id/logs/:kind/:task/:stage': later,
  '/compare': later,
  '/compare/:pair*': later,
  '/changes': later,
  '/changes/:id': later,
  '/duets': later,
  '/duets/:id': later,
  '/matrix': later,
  '/curves': async () => (await import('./pages/curves/curves-page.tsx')).CurvesPage,
  '/jobs': later,
  '/jobs/:id': later,
  '/points': async () => (await import('./pages/points/points-page.tsx')).PointsPage,
  '/machines': async () => (await import('./pages/machines/machines-page.tsx')).MachinesPage,
  '/machines/:id': async () => (await import('./pages/machine/machine-page.tsx')).MachinePage,
  '/server': async () => (await import('./pages/server/server-page.tsx')).ServerPage,
  '/api/docs': later,
};

async function later(): Promise<PageComponent> {
  return UnknownPage;
}
