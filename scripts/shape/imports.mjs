// The import graph of src, and the knots in it. Read as text: TypeScript 7 has no API to ask.
import { dirname, join } from 'node:path';

export const isSource = (file) =>
  /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !/(^|\/)fixtures\//.test(file);
export const folderOf = (file) => dirname(file);

const IMPORT =
  /^\s*(?:import|export)\b([^;'"]*?)from\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|^\s*import\s+'([^']+)'/gm;

/** Imports of one text: {specifier, isType, isLater}. */
export function importsOf(text) {
  return Array.from(text.matchAll(IMPORT), ([, clause, from, later, bare]) => ({
    specifier: from ?? later ?? bare,
    isType: isTypeOnly(clause),
    isLater: later !== undefined,
  }));
}

function isTypeOnly(clause = '') {
  if (/^\s*type\b/.test(clause)) return true;
  const names = /\{([^}]*)\}/.exec(clause)?.[1];
  return names?.split(',').every((name) => name.trim() === '' || /^\s*type\s/.test(name));
}

/** Edges between files of ours: Map file -> Set of files. `types`: count imports of types; `later`: count import(). */
export function importGraph(texts, { types = true, later = true } = {}) {
  const graph = new Map();
  for (const [file, text] of texts) {
    const targets = importsOf(text)
      .filter(
        ({ specifier, isType, isLater }) =>
          specifier.startsWith('.') && (types || !isType) && (later || !isLater),
      )
      .map(({ specifier }) => join(dirname(file), specifier));
    graph.set(file, new Set(targets.filter((target) => texts.has(target))));
  }
  return graph;
}

/** Groups (by `groupOf` a file) that import each other in a circle, over edges that `counts`. */
export function knots(graph, groupOf, counts) {
  const edges = new Map();
  for (const [file, targets] of graph)
    for (const target of targets) {
      const [a, b] = [groupOf(file), groupOf(target)];
      if (a !== b && counts(file, target)) edges.set(a, (edges.get(a) ?? new Set()).add(b));
    }
  return components(edges).filter((group) => group.length > 1);
}

/** Strongly connected components (Tarjan, without recursion on the file level being deep enough to matter). */
function components(edges) {
  const order = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    order.set(node, order.size);
    low.set(node, order.get(node));
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== order.get(node)) return;
    found.push(stack.splice(stack.indexOf(node)).sort());
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return found;
}
