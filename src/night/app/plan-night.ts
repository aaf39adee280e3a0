import type { Home, StageName, Task } from '../../home/core/home.ts';
import type { RunOptions } from '../../home/core/journal.ts';
import { planPoints } from '../../home/core/sweep/plan-points.ts';
import { orderTasks } from '../../home/core/task-order.ts';
import { selectTasks } from './night.ts';

/** What a night would do, without touching anything. */
export interface NightPlan {
  readonly home: string;
  readonly seed: number;
  readonly experiments: readonly PlannedTask[];
  readonly subsystems: readonly PlannedTask[];
}

export interface PlannedTask {
  readonly name: string;
  readonly state: Task['state'];
  readonly problem?: string;
  readonly stages: readonly StageName[];
  readonly after: readonly string[];
  readonly from: string;
  /** Of a matrix: the folders of its points, in their order. */
  readonly points?: readonly string[];
}

/** The plan with the order in which the seed draws the runs. */
export function planNight(home: Home, options: RunOptions, seed: number): NightPlan {
  const { experiments, subsystems } = selectTasks(home, options);
  return {
    home: home.dir,
    seed,
    experiments: orderTasks(experiments, { order: home.order, seed }).map(planned),
    subsystems: orderTasks(subsystems, { order: 'priority', seed: 0 }).map(planned),
  };
}

function planned({ name, state, problem, after, implementation, kind, sources }: Task): PlannedTask {
  const from =
    implementation.type === 'scripts'
      ? (implementation.dir ?? '(no folder)')
      : implementation.type === 'commands'
        ? (implementation.commands.run ?? '')
        : `built-in ${implementation.id}`;
  const matrix = implementation.type === 'commands' ? implementation.matrix : undefined;
  return {
    name,
    state,
    ...(problem !== undefined && { problem }),
    stages: [...(sources.length > 0 ? (['source'] as const) : []), ...stagesOf(kind, implementation)],
    after,
    from,
    ...(matrix && { points: planPoints(matrix).map(({ folder }) => folder) }),
  };
}

/** Stages that Nightmark does itself, and those that the implementation brings. */
function stagesOf(kind: Task['kind'], implementation: Task['implementation']): readonly StageName[] {
  if (kind === 'subsystem') return ['run'];
  const all = ['setup', 'run', 'analyze', 'visualize', 'summarize'] as const;
  if (implementation.type !== 'commands') return all;
  const own: readonly StageName[] = ['run', 'analyze', 'summarize'];
  return all.filter((stage) => own.includes(stage) || implementation.commands[stage] !== undefined);
}
