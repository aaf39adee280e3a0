import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type ScalarTag,
  visit,
  type YAMLMap,
} from 'yaml';

/** Line and column of the value at the path, or of its key; of the nearest parent where there is nothing. */
export type PositionOf = (path: readonly PropertyKey[], part?: 'key' | 'value') => Position;

export interface Position {
  readonly line?: number;
  readonly column?: number;
}

export interface YamlProblem extends Position {
  readonly message: string;
}

/** A YAML (or JSON, which is YAML too) text with the places of its parts. */
export interface PositionedYaml {
  readonly document: Document;
  readonly complaints: readonly YamlProblem[];
  readonly positionOf: PositionOf;
  /** A scalar as it is written, without quotes; undefined where there is none. */
  readonly sourceOf: (path: readonly PropertyKey[]) => string | undefined;
}

export interface YamlOptions {
  /** Whether "<<: *block" brings in the keys of another mapping, as YAML 1.1 has it. */
  readonly mergesKeys?: boolean;
  /** Whether yes, no, on and off are true and false, as YAML 1.1 has it. */
  readonly hasOldBooleans?: boolean;
}

const OLD_BOOLEANS: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$/,
  resolve: (text) => /^(?:yes|on)$/i.test(text),
};

export function parseWithPositions(
  text: string,
  { mergesKeys = false, hasOldBooleans = false }: YamlOptions = {},
): PositionedYaml {
  const counter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: counter,
    prettyErrors: false,
    schema: 'core',
    resolveKnownTags: false,
    merge: mergesKeys,
    ...(hasOldBooleans && { customTags: (tags) => [OLD_BOOLEANS, ...tags] }),
    uniqueKeys: false, // the library compares each key with each other; see duplicateKeys
    logLevel: 'error', // with 'silent' a second document goes unseen
  });
  const at = (offset: number) => {
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
  const offsetOf = makeFinder(document);
  return {
    document,
    complaints: [
      ...[...document.errors, ...document.warnings].map(({ message, pos }) => ({ message, ...at(pos[0]) })),
      ...duplicateKeys(document).map(({ name, offset }) => ({
        message: `the key ${JSON.stringify(name.slice(0, 80))} is there twice; keys must be unique`,
        ...at(offset),
      })),
    ],
    positionOf: (path, part = 'value') => {
      const offset = offsetOf(path, part);
      return offset === undefined ? {} : at(offset);
    },
    sourceOf: (path) => {
      const node: unknown = document.getIn(path, true);
      return isScalar(node) ? node.source : undefined;
    },
  };
}

function duplicateKeys(document: Document): readonly { readonly name: string; readonly offset: number }[] {
  const duplicates: { name: string; offset: number }[] = [];
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const name = keyOf(key);
        if (seen.has(name)) duplicates.push({ name, offset: startOf(key) ?? 0 });
        seen.add(name);
      }
    },
  });
  return duplicates;
}

type Pairs = ReadonlyMap<string, YAMLMap['items'][number]>;

/** Remembers the keys of each mapping: thousands of problems in one file must not search it thousands of times. */
function makeFinder(document: Document) {
  const known = new Map<YAMLMap, Pairs>();
  const pairsOf = (map: YAMLMap): Pairs => {
    const pairs = known.get(map) ?? new Map(map.items.map((pair) => [keyOf(pair.key), pair]));
    known.set(map, pairs);
    return pairs;
  };
  return (path: readonly PropertyKey[], part: 'key' | 'value'): number | undefined => {
    let node: unknown = document.contents;
    let offset = startOf(node);
    for (const [index, step] of path.entries()) {
      if (isAlias(node)) node = node.resolve(document);
      if (isMap(node)) {
        const pair = pairsOf(node).get(String(step));
        if (!pair) return offset;
        const wantsKey = part === 'key' && index === path.length - 1;
        offset = (wantsKey ? undefined : startOf(pair.value)) ?? startOf(pair.key) ?? offset;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(step)];
        offset = startOf(node) ?? offset;
      } else return offset;
    }
    return offset;
  };
}

function keyOf(key: unknown): string {
  return isScalar(key) ? String(key.value ?? '') : '';
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
