import { Empty, PageFrame } from '../../platform/page/parts/page-frame.tsx';
import type { CurvesView } from '../app/curves-view.ts';
import { LeftOut } from './left-out.tsx';

/** Where curves come from. */
export function EmptyCurves({ view }: { readonly view: CurvesView }) {
  return (
    <PageFrame title="Learning curves" heading="No learning curves yet" json="curves">
      <Empty>
        Here you will see the mean over seeds with its band, for each task and algorithm. They come from files
        below <code>results</code>: <code>progress.csv</code> in a folder for each seed, such as{' '}
        <code>results/experiments/data/rl/ppo_HalfCheetah-v2_1/progress.csv</code>, or{' '}
        <code>progress.json</code> and <code>auto/TASK_ALGORITHM.json</code> of Garage; and from fields of
        workloads that are a <code>curve</code>. The same files below <code>baselines</code> are what they are
        compared with.
      </Empty>
      <LeftOut view={view} />
    </PageFrame>
  );
}
