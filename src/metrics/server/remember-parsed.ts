import type { Statement } from '../core/influxql/parse/ast.ts';
import { parseQuery } from '../core/influxql/parse/parse-query.ts';

/** A dashboard has some tens of queries, and asks them again and again. */
const MOST = 64;
/** Longer ones are rare, and would keep much memory. */
const LONGEST = 2_048;

/** Parses queries, and knows those that were asked last. Statements say `now()`, not what it was: they may be used again. */
export function rememberParsed(): (text: string) => readonly Statement[] {
  const known = new Map<string, readonly Statement[]>();
  return (text) => {
    const found = known.get(text);
    const statements = found ?? parseQuery(text);
    if (text.length > LONGEST) return statements;
    // A map keeps the order in which it got its keys: the first one was not asked for the longest time.
    if (found) known.delete(text);
    known.set(text, statements);
    if (known.size > MOST) known.delete(known.keys().next().value as string);
    return statements;
  };
}
