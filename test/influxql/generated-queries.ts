/** A small generator with a seed (mulberry32), so that every run asks the same. */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Points of three measurements with gaps; no two at the same moment, so that no order is left open. */
export function generatedLines(seed: number): string {
  const next = seeded(seed);
  const lines: string[] = [];
  let time = 0;
  for (let i = 0; i < 160; i++) {
    time += 50_000_000 + next(900) * 1_000_000 + next(3) * 1_000 + (next(12) === 0 ? 9_000_000_000 : 0);
    const kind = next(4);
    const host = `host=${['a', 'b', 'c d'][next(3)]?.replace(' ', '\\ ')}`;
    if (kind === 0) lines.push(`mem,${host} used=${next(100) / 8},free=${next(40)}i ${time}`);
    else if (kind === 1) lines.push(`log text="line ${next(5)}",level=${next(3)}i ${time}`);
    else {
      const fields = [`v=${next(200) / 4 - 20}`];
      if (next(2) === 0) fields.push(`n=${next(30) - 10}i`);
      if (next(4) === 0) fields.push(`ok=${next(2) === 0}`);
      lines.push(`cpu,${host}${next(2) === 0 ? `,core=${next(2)}` : ''} ${fields.join()} ${time}`);
    }
  }
  lines.push('cpu,host=big n=9007199254740993i,v=1e21 1', 'cpu,host=big v=1e-7 2');
  return lines.join('\n');
}

const pick = <T>(next: (below: number) => number, from: readonly T[]): T => from[next(from.length)] as T;

/** Queries of the kinds that people and dashboards send. */
export function generatedQueries(seed: number, count: number): readonly string[] {
  const next = seeded(seed);
  return Array.from({ length: count }, () =>
    pick(next, [raw, raw, aggregate, aggregate, aggregate, transform, show])(next),
  );
}

function tail(next: (below: number) => number, where: string): string {
  const conditions = [
    "host = 'a'",
    "host != 'a'",
    'host =~ /a|b/',
    'host !~ /^c/',
    "(host = 'a' OR host = 'b')",
    "core = ''",
    'v > 3',
    'n <= 5',
    "v > 0 AND host = 'b'",
    "v < 0 OR host = 'a'",
    'ok = true',
  ];
  const chosen = next(2) === 0 ? [where, pick(next, conditions)] : [where];
  const kept = chosen.filter((each) => each !== '');
  return kept.length === 0 ? '' : ` WHERE ${kept.join(' AND ')}`;
}

function slice(next: (below: number) => number): string {
  return `${next(4) === 0 ? ' ORDER BY time DESC' : ''}${next(3) === 0 ? ` LIMIT ${1 + next(6)}${next(2) === 0 ? ` OFFSET ${next(4)}` : ''}` : ''}${next(8) === 0 ? ` SLIMIT ${1 + next(2)}` : ''}`;
}

const TIMES = [
  '',
  '',
  'time >= 5s AND time < 60s',
  "time > '1970-01-01T00:00:20Z'",
  'time >= 10s',
  "time <= '1970-01-01 00:01:00'",
  'time >= 7500ms and time <= 70s',
];

function raw(next: (below: number) => number): string {
  const fields = pick(next, [
    'v',
    'n',
    '*',
    '*::field',
    'v, n',
    'v, host',
    'v + n',
    'v * 2 AS w, n',
    '(v - 1) / 4',
    'n % 3, n / 2',
    'ok, v',
    '/^[nv]$/',
    'n & 3',
    '-v',
    'n::float',
  ]);
  const group = pick(next, [
    '',
    '',
    ' GROUP BY host',
    ' GROUP BY *',
    ' GROUP BY host, core',
    ' GROUP BY /h/',
  ]);
  return `SELECT ${fields} FROM cpu${tail(next, pick(next, TIMES))}${group}${slice(next)}`;
}

const CALLS = [
  'mean(v)',
  'sum(n)',
  'count(v)',
  'count(n)',
  'max(v)',
  'min(n)',
  'first(v)',
  'last(n)',
  'median(v)',
  'stddev(v)',
  'spread(n)',
  'percentile(v, 90)',
  'count(distinct(n))',
  'first(ok)',
  'median(n)',
  'mean(n) * 2',
  'max(v) - min(v)',
];

function aggregate(next: (below: number) => number): string {
  const fields = Array.from({ length: 1 + next(3) }, (_, i) => `${pick(next, CALLS)} AS c${i}`).join(', ');
  const alone = pick(next, [
    'mean(*)',
    'last(*::field)',
    'max(v), host',
    'top(v, 3)',
    'bottom(v, 2)',
    'top(v, host, 2)',
    'distinct(n)',
    'count(*)',
    'max(n), v',
    'last(v)',
  ]);
  const chosen = next(4) === 0 ? alone : fields;
  const isTimed = next(2) === 0;
  const time = isTimed
    ? pick(
        next,
        TIMES.filter((each) => each.includes('<') && each.includes('>')),
      )
    : pick(next, TIMES);
  const tags = pick(next, ['', '', 'host', '*']);
  const interval = isTimed ? pick(next, ['time(10s)', 'time(7s)', 'time(5s, 2s)', 'time(1m)']) : '';
  const by = [interval, tags].filter((each) => each !== '').join(', ');
  const fill = isTimed
    ? pick(next, ['', ' fill(null)', ' fill(none)', ' fill(0)', ' fill(previous)', ' fill(linear)'])
    : '';
  return `SELECT ${chosen} FROM cpu${tail(next, time)}${by === '' ? '' : ` GROUP BY ${by}`}${fill}${/^(?:top|bottom|distinct)/.test(chosen) ? '' : slice(next)}`;
}

function transform(next: (below: number) => number): string {
  const name = pick(next, [
    'derivative(@)',
    'derivative(@, 10s)',
    'non_negative_derivative(@, 1s)',
    'difference(@)',
    'non_negative_difference(@)',
    'moving_average(@, 3)',
    'cumulative_sum(@)',
    'elapsed(@, 1ms)',
  ]);
  if (next(2) === 0)
    return `SELECT ${name.replace('@', pick(next, ['v', 'n']))} FROM cpu${tail(next, pick(next, TIMES))}${pick(next, ['', ' GROUP BY host'])}`;
  const call = name.replace('@', pick(next, ['mean(v)', 'max(n)', 'sum(v)']));
  return `SELECT ${call} FROM cpu WHERE time >= 5s AND time < 60s GROUP BY time(${pick(next, ['5s', '10s'])})${pick(next, ['', ', host'])}${pick(next, ['', ' fill(none)', ' fill(0)', ' fill(previous)'])}`;
}

function show(next: (below: number) => number): string {
  const where = pick(next, [
    '',
    '',
    " WHERE host = 'a'",
    ' WHERE host =~ /b|c/',
    " WHERE core = '1' AND host != 'a'",
  ]);
  const cut = pick(next, ['', '', ' LIMIT 2', ' LIMIT 1 OFFSET 1']);
  const from = pick(next, ['', ' FROM cpu', ' FROM /c|m/', ' FROM nothing']);
  return pick(next, [
    `SHOW MEASUREMENTS${where.includes('!=') ? '' : where}${cut}`,
    `SHOW MEASUREMENTS WITH MEASUREMENT =~ /[cl]/${cut}`,
    `SHOW SERIES${from}${where}${cut}`,
    `SHOW TAG KEYS${from}${where}${cut}`,
    `SHOW TAG VALUES${from} WITH KEY = host${where}${cut}`,
    `SHOW TAG VALUES${from} WITH KEY IN (host, core)${where}`,
    `SHOW FIELD KEYS${from}${cut}`,
    'SHOW RETENTION POLICIES',
  ]);
}
