import { stageCommand, stagePlaces, type TaskSources } from '../../experiment/app/stage-command.ts';
import { configOf } from '../../home/app/result-files.ts';
import type { Task } from '../../home/core/home.ts';
import type { Status } from '../../home/core/status.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { Night } from './night.ts';
import { refuseWhenInterrupted, runStage } from './run-stage.ts';

/** Runs a subsystem. Its output folder stays from night to night; only the old status is removed. */
export async function runSubsystem(night: Night, task: Task, sources: TaskSources): Promise<void> {
  const { disk } = night.effects;
  const { output } = stagePlaces(night, task, 'run');
  const { implementation } = task;
  const command = await stageCommand(night, task, 'run', sources);
  await runStage(night, {
    task,
    stage: 'run',
    ...(command && { command }),
    output,
    prepare: async () => {
      await disk.makeDir(output);
      await disk.remove(joinPath(output, 'status.json'));
    },
    ...(implementation.type === 'built-in' && {
      performOwn: () => runOwn(implementation.id, { night, task, output }),
    }),
  });
}

interface BuiltInPlace {
  readonly night: Night;
  readonly task: Task;
  readonly output: string;
}

async function runOwn(id: string, { night, task, output }: BuiltInPlace): Promise<Status> {
  const { home, layout, recorder, effects } = night;
  const { disk, clock, env, signal, tools, randomSeed } = effects;
  // Loaded on demand: most nights have no built-in subsystem, and these draw charts and build pages.
  const { runBuiltIn } = await import('./subsystems/run-built-in.ts');
  const status = await runBuiltIn(id, {
    home,
    layout,
    task,
    config: await configOf(task, disk),
    output,
    disk,
    clock,
    env: { ...env, ...task.env },
    signal,
    tools,
    randomSeed,
    skipReason: (experiment) => recorder.skipReason(experiment),
  });
  // What an interruption cut off is done again when the night is resumed; what has succeeded is not.
  if (!status.success) refuseWhenInterrupted(signal.aborted);
  return status;
}
