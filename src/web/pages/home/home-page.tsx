import type { Overview } from '../../../app/read-overview.ts';
import { documentRef } from '../../data/document.ts';
import { useDocument } from '../../data/use-document.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { Show } from '../../parts/show.tsx';
import { Link } from '../../router/link.tsx';

/** The newest results of everything, before any choice. */
export function HomePage() {
  const loaded = useDocument(documentRef<Overview>(['experiments'], { topic: 'runs' }));
  return (
    <Show loaded={loaded}>
      {({ project, experiments }) => (
        <PageFrame title={project} json="experiments">
          {experiments.map(({ name }) => (
            <p key={name}>
              <Link to={`/experiments/${encodeURIComponent(name)}`}>{name}</Link>
            </p>
          ))}
        </PageFrame>
      )}
    </Show>
  );
}
