import type { Home, StageName, Task } from '../../home/core/home.ts';
import type { HomeLayout } from '../../home/core/home-layout.ts';
import { joinPath } from '../../platform/core/path.ts';

/** The folders of one stage of one task: where its status.json is looked for, and its arguments in order. */
export interface StagePlaces {
  readonly output: string;
  readonly data: string;
  readonly args: readonly string[];
}

export function stagePlaces(
  night: { readonly layout: HomeLayout; readonly raw: RawPlaces; readonly home: Home },
  task: Task,
  stage: StageName,
): StagePlaces {
  const { layout, raw, home } = night;
  const { name, configDir } = task;
  if (task.kind === 'subsystem') {
    const output = layout.output(name);
    const rest = home.subsystemArguments === 'home-output' ? [home.dir, output] : [output, home.dir];
    return { output, data: layout.data(''), args: [configDir, ...rest] };
  }

  const data = layout.data(name);
  const runDir = joinPath(raw.dir, name);
  switch (stage) {
    case 'source':
    case 'setup': {
      const output = joinPath(home.folders.setup, name);
      return { output, data, args: [configDir, output] };
    }
    case 'run':
      return { output: runDir, data, args: [configDir, runDir] };
    case 'analyze': {
      const output = joinPath(runDir, 'analysis');
      return { output, data, args: [configDir, runDir, output] };
    }
    case 'visualize':
      return { output: layout.graph(name), data, args: [configDir, data, layout.graph(name)] };
    case 'summarize':
      return { output: layout.summary(name), data, args: [configDir, data, layout.summary(name)] };
  }
}

/** Where raw data lies during the night, and the archive it becomes. */
export interface RawPlaces {
  readonly dir: string;
  readonly archive: string;
}
