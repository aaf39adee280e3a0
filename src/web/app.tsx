import { useLayoutEffect, useState } from 'preact/hooks';
import { PAGE_ROUTES, type PageRoute } from '../platform/core/site/page-routes.ts';
import { SourceProblem } from '../platform/page/data/source.ts';
import { Loading, Problem } from '../platform/page/parts/page-frame.tsx';
import { useAddress } from '../platform/page/router/address.ts';
import { matchRoute, type RouteParameters } from '../platform/page/router/match-route.ts';
import { Layout } from './layout.tsx';
import { UnknownPage } from './pages/unknown/unknown-page.tsx';
import { type PageComponent, ROUTES } from './routes.ts';

/** The frame of all pages, and the page that the address names. */
export function App() {
  const { path } = useAddress();
  const { route, parameters } = routeOf(path);
  const page = usePage(route);
  return <Layout path={path}>{page ? <page.Page key={path} parameters={parameters} /> : <Loading />}</Layout>;
}

function routeOf(path: string): { readonly route?: PageRoute; readonly parameters: RouteParameters } {
  for (const route of PAGE_ROUTES) {
    const parameters = matchRoute(route, path);
    if (parameters) return { route, parameters };
  }
  return { parameters: {} };
}

/** The one before stays until the next one is there. */
function usePage(route: PageRoute | undefined): { readonly Page: PageComponent } | undefined {
  const [page, setPage] = useState<{ readonly Page: PageComponent; readonly route?: PageRoute }>();
  useLayoutEffect(() => {
    let isWanted = true;
    const arrive = (Page: PageComponent) => isWanted && setPage({ Page, ...(route && { route }) });
    if (route === undefined) arrive(UnknownPage);
    else ROUTES[route]().then(arrive, () => arrive(NotLoaded));
    return () => {
      isWanted = false;
    };
  }, [route]);
  return page?.route === route ? page : undefined;
}

/** After an update the server has no more what the page was built of; to a token that is good no more it gives nothing. */
function NotLoaded() {
  const problem = new SourceProblem('A part of the page could not be loaded.', {
    hint: 'Load it again: the server may have been updated, or your token has expired or was revoked.',
  });
  return <Problem problem={problem} />;
}
