import { numbers } from './matrix.ts';

interface Pen {
  x: number;
  y: number;
  startX: number;
  startY: number;
}

const COUNTS: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, q: 4, a: 7, z: 0 };

/** The path of an SVG as operators of a PDF. */
export function pathOperators(path: string): string {
  const pen: Pen = { x: 0, y: 0, startX: 0, startY: 0 };
  const operators: string[] = [];
  for (const [, letter = '', list = ''] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*(?:e[-+]?\d+[^a-zA-Z]*)*)/g)) {
    const kind = letter.toLowerCase();
    const count = COUNTS[kind];
    if (count === undefined) throw new Error(`the path command "${letter}" is not known`);
    const values = (list.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/g) ?? []).map(Number);
    if (count === 0) operators.push(closed(pen));
    for (let at = 0; count > 0 && at + count <= values.length; at += count) {
      // Further pairs behind a move are lines.
      const name = kind === 'm' && at > 0 ? 'l' : kind;
      operators.push(step(name, { isRelative: letter === kind, values: values.slice(at, at + count) }, pen));
    }
  }
  return operators.join('\n');
}

function closed(pen: Pen): string {
  [pen.x, pen.y] = [pen.startX, pen.startY];
  return 'h';
}

interface Step {
  readonly isRelative: boolean;
  readonly values: readonly number[];
}

function step(kind: string, { isRelative, values }: Step, pen: Pen): string {
  const [baseX, baseY] = isRelative ? [pen.x, pen.y] : [0, 0];
  const at = (place: number): readonly [number, number] => [
    baseX + (values[place] ?? 0),
    baseY + (values[place + 1] ?? 0),
  ];
  if (kind === 'h') return line(pen, [baseX + (values[0] ?? 0), pen.y]);
  if (kind === 'v') return line(pen, [pen.x, baseY + (values[0] ?? 0)]);
  if (kind === 'l') return line(pen, at(0));
  if (kind === 'c') return curve(pen, [at(0), at(2), at(4)]);
  if (kind === 'q') return quadratic(pen, at(0), at(2));
  if (kind === 'a')
    return arc(pen, { radius: values[0] ?? 0, isLarge: values[3] === 1, isRight: values[4] === 1 }, at(5));
  [pen.x, pen.y] = at(0);
  [pen.startX, pen.startY] = [pen.x, pen.y];
  return `${numbers([pen.x, pen.y])} m`;
}

type Place = readonly [number, number];

function line(pen: Pen, [x, y]: Place): string {
  [pen.x, pen.y] = [x, y];
  return `${numbers([x, y])} l`;
}

function curve(pen: Pen, places: readonly [Place, Place, Place]): string {
  [pen.x, pen.y] = places[2];
  return `${numbers(places.flat())} c`;
}

function quadratic(pen: Pen, [cx, cy]: Place, [x, y]: Place): string {
  const toward = (from: number, control: number) => from + ((control - from) * 2) / 3;
  return curve(pen, [
    [toward(pen.x, cx), toward(pen.y, cy)],
    [toward(x, cx), toward(y, cy)],
    [x, y],
  ]);
}

interface Arc {
  readonly radius: number;
  readonly isLarge: boolean;
  readonly isRight: boolean;
}

/** Circles only: what marks of charts are. Each quarter at most is one curve. */
function arc(pen: Pen, { radius: given, isLarge, isRight }: Arc, [x, y]: Place): string {
  const [dx, dy] = [(x - pen.x) / 2, (y - pen.y) / 2];
  const half = Math.hypot(dx, dy);
  if (half === 0) return '';
  const radius = Math.max(Math.abs(given), half);
  const off = Math.sqrt(Math.max(0, radius ** 2 - half ** 2)) * (isLarge === isRight ? -1 : 1);
  const [cx, cy] = [pen.x + dx - (off * dy) / half, pen.y + dy + (off * dx) / half];
  const from = Math.atan2(pen.y - cy, pen.x - cx);
  let sweep = Math.atan2(y - cy, x - cx) - from;
  if (isRight && sweep <= 0) sweep += 2 * Math.PI;
  if (!isRight && sweep >= 0) sweep -= 2 * Math.PI;
  const parts = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9));
  const angle = sweep / parts;
  const reach = (4 / 3) * Math.tan(angle / 4) * radius;
  const curves: string[] = [];
  for (let part = 0; part < parts; part++) {
    const [one, other] = [from + part * angle, from + (part + 1) * angle];
    const end: Place = [cx + radius * Math.cos(other), cy + radius * Math.sin(other)];
    curves.push(
      curve(pen, [
        [pen.x - reach * Math.sin(one), pen.y + reach * Math.cos(one)],
        [end[0] + reach * Math.sin(other), end[1] - reach * Math.cos(other)],
        end,
      ]),
    );
  }
  return curves.join('\n');
}
