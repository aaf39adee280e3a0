import type { Command, SharedFolder } from '../core/executor.ts';
import { isElsewhere, type RunPlace } from '../core/place.ts';

/** Of the environment here these say where we are, or do not concern a node. */
const NOT_ELSEWHERE =
  /^(?:SLURM_(?!CONF$)|SLURMD_|PMI|NIGHTMARK_POSTGRES_URL$|NIGHTMARK_TOKEN$|PGPASSWORD$|HOSTNAME$)/;

/** The command at its place: what its executor needs beyond what to run. */
export function placeCommand(
  command: Command,
  at: RunPlace | undefined,
  folders: readonly SharedFolder[],
): Command {
  if (at === undefined) return command;
  const { resources, place } = at;
  const timeoutMs = shortest(command.timeoutMs, resources.timeMs);
  return {
    ...command,
    env: isElsewhere(at) ? environmentElsewhere(command.env) : command.env,
    resources,
    place,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(place.container && { container: { ...place.container, folders: outermost(folders) } }),
  };
}

/** What a command takes along to another machine. */
export function environmentElsewhere(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_ELSEWHERE.test(name)));
}

function shortest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

/** Without those that lie in another one which may be written as well. */
function outermost(folders: readonly SharedFolder[]): readonly SharedFolder[] {
  const byPath = new Map<string, SharedFolder>();
  for (const folder of folders) {
    const known = byPath.get(folder.path);
    if (!known || known.isReadOnly) byPath.set(folder.path, folder);
  }
  const all = [...byPath.values()];
  const covers = (outer: SharedFolder, { path, isReadOnly }: SharedFolder) =>
    path.startsWith(`${outer.path}/`) && outer.isReadOnly === isReadOnly;
  return all.filter((folder) => !all.some((outer) => covers(outer, folder)));
}
