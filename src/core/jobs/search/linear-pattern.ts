/**
 * A regular expression whose matching takes at most its size times the length of the text, whatever it is: all its ways are
 * followed at the same time instead of one after the other. A text says why it cannot be: it looks around or back.
 */
export function linearPattern(source: string): ((text: string) => boolean) | string {
  const program = new PatternCompiler(source).compile();
  if (typeof program === 'string') return program;
  return (text) => runs(program, text);
}

type Step =
  | { readonly type: 'one'; readonly test: RegExp }
  | { readonly type: 'edge'; readonly edge: string }
  | { readonly type: 'fork'; readonly ways: readonly number[] }
  | { readonly type: 'end' };

/** Offsets of `fork` are relative until a piece has its place. */
type Piece = readonly Step[];

const ATOM =
  /^(?:\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\.|\[(?:\\.|[^\]\\])*\]|[^\\])/su;
const REPEAT = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/;
const LARGEST = 5_000;
const LOOKS = 'a regular expression that neither looks around nor refers back';

class PatternCompiler {
  #rest: string;

  constructor(source: string) {
    this.#rest = source;
  }

  compile(): readonly Step[] | string {
    try {
      const piece = this.#choice();
      return this.#rest === '' ? [...piece, { type: 'end' }] : LOOKS;
    } catch (error) {
      if (error instanceof RangeError) return error.message;
      throw error;
    }
  }

  #choice(): Piece {
    let piece = this.#sequence();
    while (this.#rest.startsWith('|')) {
      this.#rest = this.#rest.slice(1);
      const other = this.#sequence();
      piece = sized([fork(1, piece.length + 2), ...piece, fork(other.length + 1), ...other]);
    }
    return piece;
  }

  #sequence(): Piece {
    const pieces: Piece[] = [];
    while (this.#rest !== '' && !/^[|)]/.test(this.#rest)) pieces.push(this.#repeated(this.#atom()));
    return sized(pieces.flat());
  }

  #atom(): Piece {
    const group = /^\((?:\?(?::|<[\p{L}_$][\p{L}\p{N}_$]*>))?/u.exec(this.#rest)?.[0];
    if (group !== undefined) {
      if (group === '(' && this.#rest[1] === '?') throw new RangeError(LOOKS);
      this.#rest = this.#rest.slice(group.length);
      const inside = this.#choice();
      this.#rest = this.#rest.slice(1);
      return inside;
    }
    const atom = ATOM.exec(this.#rest)?.[0] ?? '';
    if (atom === '' || /^\\[1-9k]/.test(atom)) throw new RangeError(LOOKS);
    this.#rest = this.#rest.slice(atom.length);
    if (/^(?:[\^$]|\\[bB])$/.test(atom)) return [{ type: 'edge', edge: atom }];
    return [{ type: 'one', test: new RegExp(`^${atom}$`, 'u') }];
  }

  #repeated(piece: Piece): Piece {
    const [sign, least, comma, most] = REPEAT.exec(this.#rest) ?? [];
    if (sign === undefined) return piece;
    this.#rest = this.#rest.slice(sign.length);
    const star: Piece = [fork(1, piece.length + 2), ...piece, fork(-piece.length - 1)];
    const maybe: Piece = [fork(1, piece.length + 1), ...piece];
    if (sign.startsWith('*')) return star;
    if (sign.startsWith('+')) return sized([...piece, ...star]);
    if (sign.startsWith('?')) return maybe;
    const from = Number(least);
    const to = comma === '' ? from : Number(most);
    if (Math.max(from, to) * piece.length > LARGEST) throw new RangeError(TOO_LARGE);
    const needed = Array.from({ length: from }, () => piece).flat();
    if (comma !== '' && most === '') return sized([...needed, ...star]);
    return sized([...needed, ...Array.from({ length: to - from }, () => maybe).flat()]);
  }
}

const TOO_LARGE = 'a shorter regular expression';

function sized(piece: Piece): Piece {
  if (piece.length > LARGEST) throw new RangeError(TOO_LARGE);
  return piece;
}

function fork(...ways: readonly number[]): Step {
  return { type: 'fork', ways };
}

/** Each step is visited once a character; a match may begin anywhere. */
function runs(program: readonly Step[], text: string): boolean {
  const characters = [...text];
  const seen = new Int32Array(program.length).fill(-1);
  let current: number[] = [];
  for (let at = 0; at <= characters.length; at++) {
    const next: number[] = [];
    const waiting = [...current, 0];
    const character = characters[at];
    while (waiting.length > 0) {
      const place = waiting.pop() as number;
      if (seen[place] === at) continue;
      seen[place] = at;
      const step = program[place] as Step;
      if (step.type === 'end') return true;
      if (step.type === 'fork') for (const way of step.ways) waiting.push(place + way);
      else if (step.type === 'edge') {
        if (isEdge(step.edge, characters, at)) waiting.push(place + 1);
      } else if (character !== undefined && step.test.test(character)) next.push(place + 1);
    }
    current = next;
  }
  return false;
}

function isEdge(edge: string, characters: readonly string[], at: number): boolean {
  if (edge === '^') return at === 0;
  if (edge === '$') return at === characters.length;
  const isWord = (character = '') => /^\w$/.test(character);
  return (isWord(characters[at - 1]) !== isWord(characters[at])) === (edge === '\\b');
}
