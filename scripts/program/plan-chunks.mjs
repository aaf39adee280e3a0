// Which modules of the program share a file. A bundler by itself makes a chunk for every set of commands that share a module:
// hundreds of tiny files, forty for `nightmark job list`. Here those are merged as long as that costs less than it saves.

/** To find, open and compile one more file takes about as long as reading so many bytes that are not needed. */
const FILE_BYTES = 24_000;
/** A package is many files: nobody loads one that only others need. */
const PACKAGE_BYTES = 20 * FILE_BYTES;

/**
 * Names of chunks by module id, for the modules that more than one entry needs; the others stay with their entry.
 * `chunks` are those that the bundler made by itself, `first` the file name of the one that every command but the quick ones loads.
 */
export function planChunks(chunks, first) {
  const nodes = new Map(chunks.map((chunk) => [chunk.fileName, nodeOf(chunk)]));
  for (const node of nodes.values()) if (node.isEntry) markReached(node, nodes);
  joinFirst(nodes, first);
  while (mergeBest(nodes));
  const names = new Map();
  for (const node of nodes.values())
    if (!node.isEntry) for (const id of node.modules) names.set(id, nameOf(node));
  return names;
}

function nodeOf({ fileName, moduleIds, imports, code, isEntry, isDynamicEntry }) {
  return {
    fileName,
    modules: [...moduleIds],
    imports: new Set(imports.filter((name) => name.endsWith('.cjs'))),
    bytes: code.length + PACKAGE_BYTES * imports.filter(isPackage).length,
    isEntry: isEntry || isDynamicEntry,
    roots: new Set(),
  };
}

function isPackage(name) {
  return !name.endsWith('.cjs') && !name.startsWith('node:');
}

/** Everything that is loaded with an entry knows of it. */
function markReached(entry, nodes) {
  const stack = [entry];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.roots.has(entry.fileName)) continue;
    node.roots.add(entry.fileName);
    for (const name of node.imports) stack.push(nodes.get(name));
  }
}

/** What is loaded anyway costs nobody anything: all of it is one file. */
function joinFirst(nodes, first) {
  const loaded = [...nodes.values()].filter((node) => !node.isEntry && node.roots.has(first));
  loaded.reduce((all, node) => (all ? merge(all, node, nodes) : node), undefined);
}

/** The pair of shared chunks that is better off as one: false when there is none. */
function mergeBest(nodes) {
  const shared = [...nodes.values()].filter((node) => !node.isEntry);
  const pairs = [];
  for (const [at, one] of shared.entries())
    for (const other of shared.slice(at + 1)) {
      const gain = gainOf(one, other);
      if (gain > 0) pairs.push({ one, other, gain });
    }
  pairs.sort((a, b) => b.gain - a.gain);
  const best = pairs.find(({ one, other }) => !isBetween(one, other, nodes) && !isBetween(other, one, nodes));
  if (best) merge(best.one, best.other, nodes);
  return best !== undefined;
}

function gainOf(one, other) {
  let both = 0;
  for (const root of one.roots) if (other.roots.has(root)) both++;
  return both * FILE_BYTES - one.bytes * (other.roots.size - both) - other.bytes * (one.roots.size - both);
}

/** Whether a third chunk lies on a way from one to the other: as one file they would need each other in a circle. */
function isBetween(from, to, nodes) {
  const seen = new Set();
  const stack = [...from.imports].filter((name) => name !== to.fileName);
  for (let name = stack.pop(); name !== undefined; name = stack.pop()) {
    if (name === to.fileName) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    stack.push(...nodes.get(name).imports);
  }
  return false;
}

function merge(one, other, nodes) {
  one.modules.push(...other.modules);
  one.bytes += other.bytes;
  for (const root of other.roots) one.roots.add(root);
  for (const name of other.imports) one.imports.add(name);
  nodes.delete(other.fileName);
  for (const node of nodes.values()) if (node.imports.delete(other.fileName)) node.imports.add(one.fileName);
  one.imports.delete(one.fileName);
  return one;
}

/** After its first module, so that a stack trace says roughly where it is. */
function nameOf({ modules }) {
  const [first] = modules
    .map((id) => id.replace(/^.*\/(?:dist\/src|node_modules)\//, '').replace(/\.\w+$/, ''))
    .sort();
  return `shared-${first.replaceAll(/[^a-z0-9]+/gi, '-')}`;
}
