import { Empty, PageFrame } from '../../../platform/page/parts/page-frame.tsx';
import type { HomeView } from '../../app/home/home-view.ts';
import { OtherResults } from './other-results.tsx';

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
