import { type CharTest, type Place, type RegexNode, RegexProblem } from './regex-node.ts';

/** One step; `next` is the number of the step after it. */
export type Step =
  | { readonly kind: 'char'; readonly test: CharTest; readonly next: number }
  | { readonly kind: 'place'; readonly place: Place; readonly next: number }
  | { readonly kind: 'split'; next: number; other: number }
  | { readonly kind: 'found' };

/** Repetitions multiply what they repeat: (a{1000}){1000} would be a million steps. */
const MOST_STEPS = 10_000;

/** Steps from back to front, so that each knows what comes after it; the first one is returned with them. */
export function compileRegex(
  node: RegexNode,
  text: string,
): { readonly steps: readonly Step[]; readonly first: number } {
  const steps: Step[] = [{ kind: 'found' }];
  const add = (step: Step): number => {
    if (steps.length >= MOST_STEPS) throw new RegexProblem('expression too large', text);
    return steps.push(step) - 1;
  };
  const before = (part: RegexNode, next: number): number => {
    switch (part.kind) {
      case 'char':
        return add({ kind: 'char', test: part.test, next });
      case 'place':
        return add({ kind: 'place', place: part.place, next });
      case 'all':
        return part.parts.reduceRight((after, each) => before(each, after), next);
      case 'any':
        return part.parts
          .map((each) => before(each, next))
          .reduceRight((other, each) => add({ kind: 'split', next: each, other }));
      case 'repeat':
        return repeat(part, next);
    }
  };
  const repeat = ({ of, least, most }: RegexNode & { kind: 'repeat' }, next: number): number => {
    let after = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop: Step & { kind: 'split' } = { kind: 'split', next: 0, other: next };
      after = add(loop);
      loop.next = before(of, after);
    } else {
      for (let i = least; i < most; i++) after = add({ kind: 'split', next: before(of, after), other: next });
    }
    for (let i = 0; i < least; i++) after = before(of, after);
    return after;
  };
  return { first: before(node, 0), steps };
}
