import { isWord } from './char-tests.ts';
import { parseRegex } from './parse-regex.ts';
import { type Place, RegexProblem } from './regex-node.ts';
import { compileRegex, type Step } from './regex-program.ts';

/** Something that texts match or do not. */
export interface Pattern {
  test(text: string): boolean;
}

const LONGEST = 10_000;
/** Of states that are kept; more are forgotten and made anew. */
const MOST_STATES = 1_000;
const NONE = -1;

/**
 * An expression of RE2. All ways to match go forward together, one character at a time, so a text takes time in proportion
 * to its length, whatever the expression is: nobody can stop a server with (a+)+$ as with patterns that try way after way.
 * Throws RegexProblem.
 */
export function compilePattern(text: string): Pattern {
  if (text.length > LONGEST) throw new RegexProblem('expression too large', `${text.slice(0, 100)}...`);
  const { steps, first } = compileRegex(parseRegex(text), text);
  return new Matcher(steps, first);
}

/** Steps at which a match may go on after the same characters. */
interface State {
  readonly steps: readonly number[];
  readonly isFound: boolean;
  /** Found, if the text ends here. */
  readonly isFoundAtEnd: boolean;
  /** By character of ASCII; absent: not known yet. */
  readonly next: (State | undefined)[];
}

class Matcher implements Pattern {
  readonly #steps: readonly Step[];
  readonly #first: number;
  /** Only where nothing asks for the characters around a place does a state depend on its steps alone. */
  readonly #isPlain: boolean;
  readonly #states = new Map<string, State>();
  #start: State | undefined;

  constructor(steps: readonly Step[], first: number) {
    this.#steps = steps;
    this.#first = first;
    this.#isPlain = steps.every((step) => step.kind !== 'place' || step.place.startsWith('text-'));
  }

  test(text: string): boolean {
    let before = NONE;
    let at = 0;
    let after = codeAt(text, 0);
    let state = this.#start ?? this.#enter([this.#first], before, after);
    if (this.#isPlain) this.#start = state;
    while (!state.isFound && after !== NONE) {
      at += after > 0xffff ? 2 : 1;
      before = after;
      after = codeAt(text, at);
      const known = this.#isPlain && before < 128 ? state.next[before] : undefined;
      const entered = known ?? this.#enter(this.#after(state, before), before, after);
      if (this.#isPlain && before < 128) state.next[before] = entered;
      state = entered;
    }
    return state.isFound || state.isFoundAtEnd;
  }

  /** Steps that a character leads to, and a new beginning: a match may begin anywhere. */
  #after({ steps }: State, code: number): number[] {
    const next = [];
    for (const number of steps) {
      const step = this.#steps[number] as Step;
      if (step.kind === 'char' && step.test(code)) next.push(step.next);
    }
    next.push(this.#first);
    return next;
  }

  /** What can be reached between two characters; NONE stands for the ends of the text. */
  #enter(from: number[], before: number, after: number): State {
    const reached = this.#reach(from, (place) => holds(place, before, this.#isPlain ? 0 : after));
    const steps = [...reached].sort((a, b) => a - b);
    // At the beginning of a text the same steps may lead further.
    const key = `${before === NONE ? '^' : ''}${steps.join()}`;
    const known = this.#isPlain ? this.#states.get(key) : undefined;
    if (known) return known;
    const atEnd = this.#reach(from, (place) => holds(place, before, NONE));
    const isFoundAtEnd = after === NONE || this.#isPlain ? atEnd.has(0) : false;
    const state: State = { steps, isFound: reached.has(0), isFoundAtEnd, next: [] };
    if (this.#states.size >= MOST_STATES) this.#states.clear();
    if (this.#isPlain) this.#states.set(key, state);
    return state;
  }

  #reach(from: readonly number[], isAt: (place: Place) => boolean): Set<number> {
    const reached = new Set<number>();
    const waiting = [...from];
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      if (reached.has(number)) continue;
      reached.add(number);
      const step = this.#steps[number] as Step;
      if (step.kind === 'split') waiting.push(step.next, step.other);
      else if (step.kind === 'place' && isAt(step.place)) waiting.push(step.next);
    }
    return reached;
  }
}

function codeAt(text: string, at: number): number {
  return text.codePointAt(at) ?? NONE;
}

function holds(place: Place, before: number, after: number): boolean {
  switch (place) {
    case 'text-begin':
      return before === NONE;
    case 'text-end':
      return after === NONE;
    case 'line-begin':
      return before === NONE || before === 10;
    case 'line-end':
      return after === NONE || after === 10;
    case 'word-edge':
      return isWord(before) !== isWord(after);
    case 'no-word-edge':
      return isWord(before) === isWord(after);
  }
}
