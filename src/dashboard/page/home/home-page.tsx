import { State } from '../../../home/page/state.tsx';
import type { MatrixFacts } from '../../../matrix/app/read-stored-tests.ts';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import { documentRef, theSource } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Scroll } from '../../../platform/page/parts/display.tsx';
import { Empty, PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { Minute, useNow } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { HomePlans, HomeTask, HomeView } from '../../app/home/home-view.ts';
import { Attention } from './attention.tsx';
import { Headline, Lead } from './headline.tsx';
import { NightStrip } from './night-strip.tsx';
import { ValueTable } from './value-table.tsx';

const HOME = documentRef<HomeView>(['home'], { topic: 'runs' });

/** The answer in a sentence, what needs attention, then everything: results before any choice. */
export function HomePage() {
  const loaded = useDocument(HOME);
  return (
    <Show loaded={loaded} height={600}>
      {(view) =>
        view.nights.length === 0 ? (
          <EmptyHome view={view} />
        ) : (
          <PageFrame
            title={view.project}
            heading={<Headline view={view} />}
            lead={<Lead view={view} />}
            json="home"
            csv="home.csv"
          >
            <NightStrip view={view} />
            <Deadlines plans={view.plans} />
            <Attention view={view} />
            <h2>All experiments</h2>
            <ValueTable view={view} />
            {view.leftOut > 0 && (
              <p class="quiet">
                {counted(view.leftOut, 'more experiment')} in <a href="/api/experiments">the data</a>.
              </p>
            )}
            {view.subsystems.length > 0 && (
              <>
                <h2>Subsystems</h2>
                <TaskTable tasks={view.subsystems} />
              </>
            )}
          </PageFrame>
        )
      }
    </Show>
  );
}

const WEEK_MS = 7 * 86_400_000;

/** Deadlines, the next first, with the remaining time. Those that passed are hidden after a week. */
export function Deadlines({ plans }: { readonly plans: HomePlans }) {
  const now = useNow(1000);
  const shown = plans.deadlines.filter(({ at }) => at > now - WEEK_MS).toSorted((a, b) => a.at - b.at);
  if (shown.length === 0) return null;
  return (
    <ul class="deadlines" aria-label="Deadlines">
      {shown.map(({ name, at }) => (
        <li key={name} class={at - now < WEEK_MS ? 'near' : ''}>
          <strong>{name}</strong> {at > now ? `in ${leftText(at - now)}` : 'passed'}{' '}
          <span class="quiet">
            (<Minute at={at} />)
          </span>
        </li>
      ))}
    </ul>
  );
}

/** To the second on the last day. */
function leftText(ms: number): string {
  if (ms >= 86_400_000) return formatDuration(Math.floor(ms / 3_600_000) * 3_600_000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`;
}

/** Subsystems of the night that is shown. */
export function TaskTable({ tasks }: { readonly tasks: readonly HomeTask[] }) {
  return (
    <Scroll label="Subsystems">
      <table>
        <thead>
          <tr>
            <th scope="col">subsystem</th>
            <th scope="col">state</th>
            <th scope="col" class="number">
              took
            </th>
            <th scope="col">message</th>
          </tr>
        </thead>
        <tbody>
          {tasks.map(({ name, runId, state, durationMs, message }) => (
            <tr key={name}>
              <th scope="row">
                <Link to={`/runs/${encodeURIComponent(runId)}`}>{name}</Link>
              </th>
              <td>
                <State state={state} />
              </td>
              <td class="number">{durationMs === undefined ? '' : formatDuration(durationMs)}</td>
              <td class="message">{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Before the first night. */
export function EmptyHome({ view: { project, home, isDefined } }: { readonly view: HomeView }) {
  return (
    <PageFrame title={project} heading={`No night has run in ${project} yet`} json="home">
      <OtherResults />
      {isDefined ? (
        <Empty command={`nightmark run ${home}`}>
          Here you will see what the last night measured, what failed, and what became faster or slower. This
          command runs the first one:
        </Empty>
      ) : (
        <Empty command={`nightmark init ${home}`}>
          There is no definition of experiments in {home} either. This command writes one to begin with:
        </Empty>
      )}
    </PageFrame>
  );
}

interface ServerFacts {
  readonly points?: { readonly points: number };
  readonly jobs?: { readonly counts: Readonly<Record<string, number>> };
}

/** A home without a night may hold other results: how many there are, and where. */
export function OtherResults() {
  const { isLive } = theSource();
  const { value: server } = useDocument(
    isLive ? documentRef<ServerFacts>(['server'], { topic: 'jobs' }) : undefined,
  );
  const { value: matrix } = useDocument(documentRef<MatrixFacts>(['matrix'], { topic: 'runs' }));
  const { value: duets } = useDocument(
    documentRef<{ readonly duets: readonly unknown[] }>(['duets'], { topic: 'runs' }),
  );
  const jobs = Object.values(server?.jobs?.counts ?? {}).reduce((sum, count) => sum + count, 0);
  const places: readonly (readonly [place: string, count: number, one: string, many?: string])[] = [
    ['/jobs', jobs, 'job'],
    ['/points', server?.points?.points ?? 0, 'point of time series', 'points of time series'],
    ['/duets', duets?.duets.length ?? 0, 'duet'],
    ['/matrix', matrix?.tests ?? 0, 'test of a matrix', 'tests of matrices'],
  ];
  const there = places.filter(([, count]) => count > 0);
  if (there.length === 0) return null;
  return (
    <section aria-labelledby="others">
      <h2 id="others">What is here</h2>
      <ul>
        {there.map(([place, count, one, many]) => (
          <li key={place}>
            <Link to={place}>{counted(count, one, many)}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
