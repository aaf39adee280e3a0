/** How two texts differ, line by line, in the form of `diff -u` without its head. */
export interface LineDiff {
  readonly lines: readonly string[];
  readonly added: number;
  readonly removed: number;
}

const CONTEXT = 3;
/** Beyond so many differences the lines in between count as all replaced: the cost grows with their square. */
const MOST_DIFFERENCES = 1_500;

export function lineDiff(before: string, after: string): LineDiff {
  const [a, b] = [linesOf(before), linesOf(after)];
  const edits = editsOf(a, b);
  const lines = hunks(edits).flatMap((hunk) => [head(hunk), ...hunk.map(({ sign, line }) => sign + line)]);
  const count = (sign: Edit['sign']) => edits.filter((edit) => edit.sign === sign).length;
  return { lines, added: count('+'), removed: count('-') };
}

interface Edit {
  readonly sign: ' ' | '+' | '-';
  readonly line: string;
  /** Lines of each text before this one. */
  readonly a: number;
  readonly b: number;
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1)}\n\\ No newline at end of file`];
}

function editsOf(a: readonly string[], b: readonly string[]): readonly Edit[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const signs = [
    ...' '.repeat(start),
    ...middle(a.slice(start, endA), b.slice(start, endB)),
    ...' '.repeat(a.length - endA),
  ] as Edit['sign'][];
  let [x, y] = [0, 0];
  return signs.map((sign) => {
    const edit = { sign, line: (sign === '+' ? b[y] : a[x]) ?? '', a: x, b: y };
    if (sign !== '+') x++;
    if (sign !== '-') y++;
    return edit;
  });
}

/** Myers' greedy algorithm (1986): the fewest insertions and deletions, furthest along each diagonal first. */
function middle(a: readonly string[], b: readonly string[]): string {
  const most = Math.min(a.length + b.length, MOST_DIFFERENCES);
  const origin = most + 1;
  let reached = new Int32Array(2 * most + 3);
  const history: Int32Array[] = [];
  for (let depth = 0; depth <= most; depth++) {
    history.push(reached.slice());
    reached = reached.slice();
    for (let k = -depth; k <= depth; k += 2) {
      let x = furthest(reached, { k, depth, origin });
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reached[origin + k] = x;
      if (x >= a.length && x - k >= b.length) return trace(history, { depth, origin, a, b });
    }
  }
  return '-'.repeat(a.length) + '+'.repeat(b.length);
}

interface Step {
  readonly k: number;
  readonly depth: number;
  readonly origin: number;
}

function furthest(reached: Int32Array, { k, depth, origin }: Step): number {
  const down = reached[origin + k + 1] ?? 0;
  const right = (reached[origin + k - 1] ?? 0) + 1;
  return isDown(reached, { k, depth, origin }) ? down : right;
}

function isDown(reached: Int32Array, { k, depth, origin }: Step): boolean {
  return k === -depth || (k !== depth && (reached[origin + k - 1] ?? 0) < (reached[origin + k + 1] ?? 0));
}

interface Traced {
  readonly depth: number;
  readonly origin: number;
  readonly a: readonly string[];
  readonly b: readonly string[];
}

function trace(history: readonly Int32Array[], { depth, origin, a, b }: Traced): string {
  const backwards: string[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = depth; d > 0; d--) {
    const reached = history[d] as Int32Array;
    const k = x - y;
    const down = isDown(reached, { k, depth: d, origin });
    const fromX = reached[origin + (down ? k + 1 : k - 1)] ?? 0;
    const fromY = fromX - (down ? k + 1 : k - 1);
    const beganX = down ? fromX : fromX + 1;
    backwards.push(...' '.repeat(x - beganX), down ? '+' : '-');
    [x, y] = [fromX, fromY];
  }
  backwards.push(...' '.repeat(x));
  return backwards.reverse().join('');
}

function hunks(edits: readonly Edit[]): readonly (readonly Edit[])[] {
  const found: Edit[][] = [];
  let end = -1;
  for (const [at, { sign }] of edits.entries()) {
    if (sign === ' ') continue;
    const from = Math.max(0, at - CONTEXT, end);
    const to = Math.min(edits.length, at + CONTEXT + 1);
    if (at - CONTEXT <= end && found.length > 0) found.at(-1)?.push(...edits.slice(end, to));
    else found.push(edits.slice(from, to));
    end = to;
  }
  return found;
}

function head(hunk: readonly Edit[]): string {
  const [first] = hunk;
  const [inA, inB] = [hunk.filter(({ sign }) => sign !== '+'), hunk.filter(({ sign }) => sign !== '-')];
  const place = (lines: readonly Edit[], start: number) =>
    `${lines.length === 0 ? start : start + 1}${lines.length === 1 ? '' : `,${lines.length}`}`;
  return `@@ -${place(inA, first?.a ?? 0)} +${place(inB, first?.b ?? 0)} @@`;
}
