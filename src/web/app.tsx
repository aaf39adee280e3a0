import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { PAGE_ROUTES, type PageRoute } from '../platform/core/site/page-routes.ts';
import { useDocumentExists } from '../platform/page/data/file-address.ts';
import { SourceProblem, theSource } from '../platform/page/data/source.ts';
import { KeysHelp } from '../platform/page/parts/keys-help.tsx';
import { Empty, Loading, PageFrame, Problem } from '../platform/page/parts/page-frame.tsx';
import { Connection, SessionNote, ThemeButton } from '../platform/page/parts/shell-status.tsx';
import { useAddress } from '../platform/page/router/address.ts';
import { Link } from '../platform/page/router/link.tsx';
import { matchRoute, type RouteParameters } from '../platform/page/router/match-route.ts';
import { SiteNote } from '../publish/page/site-note.tsx';
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

/** The previous page stays until the next one is loaded. */
function usePage(route: PageRoute | undefined): { readonly Page: PageComponent } | undefined {
  const [page, setPage] = useState<{ readonly Page: PageComponent; readonly route?: PageRoute }>();
  useLayoutEffect(() => {
    let isCurrent = true;
    const show = (Page: PageComponent) => isCurrent && setPage({ Page, ...(route && { route }) });
    if (route === undefined) show(UnknownPage);
    else ROUTES[route]().then(show, () => show(NotLoaded));
    return () => {
      isCurrent = false;
    };
  }, [route]);
  return page?.route === route ? page : undefined;
}

/** After an update the server no longer has the old chunks; with an expired token it refuses them. */
function NotLoaded() {
  const problem = new SourceProblem('A part of the page could not be loaded.', {
    hint: 'Load it again: the server may have been updated, or your token has expired or was revoked.',
  });
  return <Problem problem={problem} />;
}

/** Live ones need a server, others a document that a static site may not have. */
const PLACES: readonly (readonly [place: string, name: string, needs?: 'live' | 'jobs'])[] = [
  ['/', 'Home'],
  ['/runs', 'Runs'],
  ['/changes', 'Changes'],
  ['/compare', 'Compare'],
  ['/duets', 'Duets'],
  ['/matrix', 'Matrix'],
  ['/curves', 'Curves'],
  ['/jobs', 'Jobs', 'jobs'],
  ['/points', 'Points', 'live'],
  ['/machines', 'Machines'],
  ['/server', 'Server', 'live'],
];

/** Navigation above, footer below. */
function Layout({ path, children }: { readonly path: string; readonly children: ComponentChildren }) {
  const isHere = (place: string) =>
    place === '/' ? path === '/' || path.startsWith('/experiments') : path.startsWith(place);
  const { isLive } = theSource();
  const hasJobs = useDocumentExists('jobs');
  const isOpen = (needs?: 'live' | 'jobs') => needs === undefined || isLive || (needs === 'jobs' && hasJobs);
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        To the content
      </button>
      <header>
        <nav aria-label="Pages">
          <Link to="/" class="mark">
            nightmark
          </Link>
          {PLACES.filter(([, , needs]) => isOpen(needs)).map(([place, name]) => (
            <Link key={place} to={place} {...(isHere(place) && { 'aria-current': 'page' as const })}>
              {name}
            </Link>
          ))}
          <ThemeButton />
        </nav>
      </header>
      {isLive ? <Connection /> : <SiteNote />}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer>
        {isLive ? (
          <>
            <a href="/api/docs">API</a> <KeysHelp /> <SessionNote />
          </>
        ) : (
          <>
            A static copy: it changes with the next publication. <KeysHelp />
          </>
        )}
      </footer>
    </>
  );
}

/** No link: behind "#" a static site has its addresses. */
function skip(): void {
  document.getElementById('main')?.focus();
}

/** Where an address leads nowhere. */
function UnknownPage() {
  return (
    <PageFrame title="There is nothing here">
      <Empty>
        The address is mistyped, or what it named was removed. The first page lists everything there is.
      </Empty>
    </PageFrame>
  );
}
