import { type Document, isAlias, isScalar, isSeq, visit } from 'yaml';

/** Far beyond what people share between blocks. */
const MOST_COPIED = 100_000;

/**
 * Whether "<<" copies keys beyond all reason: a file of thousands of keys that are merged a thousand times takes minutes
 * and gigabytes. No merge brings in more keys than all mappings with an anchor have together.
 */
export function copiesTooManyKeys(document: Document): boolean {
  let merges = 0;
  let keys = 0;
  visit(document, {
    Map(_, map) {
      if (map.anchor !== undefined) keys += map.items.length;
    },
    Pair(_, { key, value }) {
      if (isScalar(key) && key.source === '<<')
        merges += isSeq(value) ? value.items.filter(isAlias).length : 1;
    },
  });
  return merges * keys > MOST_COPIED;
}
