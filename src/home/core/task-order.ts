import { seededRandom, shuffle } from '../../stats/random.ts';
import type { Task } from './home.ts';

type Dependent = Pick<Task, 'name' | 'after'>;

/**
 * The cycles among tasks of one kind: for every task that lies on one, a shortest cycle through it as a closed path
 * (a, b, a). The same cycle reads the same for all its members. Names of no task are ignored.
 */
export function findCycles(tasks: readonly Dependent[]): ReadonlyMap<string, readonly string[]> {
  const suspects = withoutLeaves(new Map(tasks.map(({ name, after }) => [name, after])));
  const cycles = new Map<string, readonly string[]>();
  for (const name of suspects.keys()) {
    const cycle = shortestCycle(name, suspects);
    if (cycle) cycles.set(name, rotateToSmallest(cycle));
  }
  return cycles;
}

/**
 * The order in which tasks of one kind run: at random from the seed or by falling priority and then name, with what a
 * task waits for directly in front of it where it would come later. Names that are not a task here are ignored; a cycle is
 * cut at the place where it is met first.
 */
export function orderTasks<T extends Pick<Task, 'name' | 'after' | 'priority'>>(
  tasks: readonly T[],
  { order, seed }: { readonly order: 'random' | 'priority'; readonly seed: number },
): readonly T[] {
  const base = order === 'random' ? shuffle(tasks, seededRandom(seed)) : [...tasks].sort(byPriority);
  const byName = new Map(base.map((task) => [task.name, task]));
  const seen = new Set<string>();
  const ordered: T[] = [];
  for (const root of base) {
    // A stack of our own: a chain of ten thousand tasks must not exhaust that of the machine.
    const stack: { readonly task: T; next: number }[] = [];
    const enter = (task: T | undefined) => {
      if (!task || seen.has(task.name)) return;
      seen.add(task.name);
      stack.push({ task, next: 0 });
    };
    enter(root);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const dependency = top.task.after[top.next++];
      if (dependency !== undefined) enter(byName.get(dependency));
      else ordered.push((stack.pop() as typeof top).task);
    }
  }
  return ordered;
}

type Graph = ReadonlyMap<string, readonly string[]>;

/** Removes, again and again, tasks that wait for none of the rest: they are on no cycle. */
function withoutLeaves(graph: Graph): Graph {
  const rest = new Map([...graph].map(([name, after]) => [name, after.filter((other) => graph.has(other))]));
  const open = new Map([...rest].map(([name, after]) => [name, after.length]));
  const waiting = new Map<string, string[]>();
  for (const [name, after] of rest) {
    for (const other of after) append(waiting, other, name);
  }
  const leaves = [...open.keys()].filter((name) => open.get(name) === 0);
  for (const leaf of leaves) {
    rest.delete(leaf);
    for (const name of waiting.get(leaf) ?? []) {
      const left = (open.get(name) ?? 0) - 1;
      open.set(name, left);
      if (left === 0) leaves.push(name);
    }
  }
  return rest;
}

function append(lists: Map<string, string[]>, key: string, item: string): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Breadth first from the task back to itself. */
function shortestCycle(start: string, graph: Graph): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const name of queue) {
    for (const next of graph.get(name) ?? []) {
      if (next === start) return pathTo(name, start, cameFrom);
      if (!graph.has(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, name);
      queue.push(next);
    }
  }
  return undefined;
}

function pathTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const path = [end];
  for (let at = end; at !== start; ) {
    at = cameFrom.get(at) ?? start;
    path.unshift(at);
  }
  return path;
}

function rotateToSmallest(cycle: readonly string[]): readonly string[] {
  const smallest = [...cycle].sort()[0] ?? '';
  const at = cycle.indexOf(smallest);
  return [...cycle.slice(at), ...cycle.slice(0, at), smallest];
}

function byPriority(a: Pick<Task, 'name' | 'priority'>, b: Pick<Task, 'name' | 'priority'>): number {
  return b.priority - a.priority || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
