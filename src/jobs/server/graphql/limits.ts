import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';

/** The introspection of common tools is 15 deep and has some 200 fields. */
const DEEPEST = 20;
const MOST_FIELDS = 1_000;

/** Why a document asks for too much, fragments put in; undefined when it does not. Circles are for the validation to refuse. */
export function whyTooMuch(document: DocumentNode): string | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition);
  const measured = new Map<string, Extent>();
  let extent: Extent = { fields: 0, depth: 0 };
  for (const definition of document.definitions) {
    if (definition.kind === 'OperationDefinition')
      extent = beside(extent, extentOf(definition.selectionSet, { fragments, measured }));
  }
  if (extent.depth > DEEPEST) return `The query is ${extent.depth} levels deep; at most ${DEEPEST} are read.`;
  if (extent.fields > MOST_FIELDS) return `The query has more than ${MOST_FIELDS} fields.`;
  return undefined;
}

interface Extent {
  readonly fields: number;
  readonly depth: number;
}

interface Fragments {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Each fragment is looked at once, however often it is used. */
  readonly measured: Map<string, Extent>;
}

function extentOf({ selections }: SelectionSetNode, known: Fragments): Extent {
  let all: Extent = { fields: 0, depth: 0 };
  for (const selection of selections) {
    if (selection.kind === 'Field') {
      const inner = selection.selectionSet ? extentOf(selection.selectionSet, known) : undefined;
      all = beside(all, { fields: 1 + (inner?.fields ?? 0), depth: 1 + (inner?.depth ?? 0) });
    } else if (selection.kind === 'InlineFragment') {
      all = beside(all, extentOf(selection.selectionSet, known));
    } else all = beside(all, fragmentExtent(selection.name.value, known));
  }
  return all;
}

function fragmentExtent(name: string, known: Fragments): Extent {
  const before = known.measured.get(name);
  if (before !== undefined) return before;
  known.measured.set(name, { fields: 0, depth: 0 }); // a circle ends here
  const fragment = known.fragments.get(name);
  const extent = fragment ? extentOf(fragment.selectionSet, known) : { fields: 0, depth: 0 };
  known.measured.set(name, extent);
  return extent;
}

function beside(a: Extent, b: Extent): Extent {
  return { fields: Math.min(a.fields + b.fields, 1e9), depth: Math.max(a.depth, b.depth) };
}
