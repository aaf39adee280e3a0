import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const POINT =
  /^((?:\\.|[^\s,\\])+)((?:,(?:\\.|[^\s,=\\])+=(?:\\.|[^\s,=\\])+)*) ([a-z_\d]+=(?:-?[\d.e+-]+i?|"(?:\\["\\]|[^"\\])*")(?:,[a-z_\d]+=(?:-?[\d.e+-]+i?|"(?:\\["\\]|[^"\\])*"))*) (\d+)$/;

/** /write of InfluxDB 1.x: takes lines that are points, and refuses others as the real one does. */
export class InfluxServer {
  /** Fields by measurement, tags and time. */
  readonly points = new Map<string, string>();
  readonly #server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const say = (status: number, error?: string) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(error === undefined ? undefined : JSON.stringify({ error }));
    };
    if (request.method === 'GET' && pathname === '/query') {
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(this.#answer(searchParams)));
    }
    if (request.method !== 'POST' || pathname !== '/write') return say(404, 'not found');
    if (!this.databases.includes(searchParams.get('db') ?? '')) return say(404, 'database not found');
    if (searchParams.get('precision') !== 'ns') return say(400, 'precision');
    for (const line of text.split('\n').filter((each) => each !== '')) {
      const found = POINT.exec(line);
      if (!found || line.includes('poison')) return say(400, `unable to parse '${line}'`);
      this.points.set(`${found[1]}${found[2]} ${found[4]}`, found[3] ?? '');
    }
    say(204);
  });
  readonly databases: readonly string[];

  constructor(databases: readonly string[]) {
    this.databases = databases;
  }

  /** SELECT * of one measurement, newest first, as the real one answers it; no other query. */
  #answer(parameters: URLSearchParams): unknown {
    const query = /^SELECT \* FROM "(\w+)" ORDER BY time DESC LIMIT (\d+) OFFSET (\d+)$/;
    const [, name = '', limit, offset] = query.exec(parameters.get('q') ?? '') ?? [];
    const database = parameters.get('db') ?? '';
    if (!this.databases.includes(database))
      return { results: [{ statement_id: 0, error: `database not found: ${database}` }] };
    const rows = [...this.points]
      .filter(([key]) => key.startsWith(`${name},`))
      .map(([key, fields]) => rowOf(key, fields))
      .sort((a, b) => Number(b['time']) - Number(a['time']))
      .slice(Number(offset), Number(offset) + Number(limit));
    if (rows.length === 0) return { results: [{ statement_id: 0 }] };
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const values = rows.map((row) => columns.map((column) => row[column] ?? null));
    return { results: [{ statement_id: 0, series: [{ name, columns, values }] }] };
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A point as a row: its time, its tags and its fields. */
function rowOf(key: string, fields: string): Record<string, unknown> {
  const [series = '', time] = key.split(/ (?=\d+$)/);
  const row: Record<string, unknown> = { time: Number(time) };
  for (const tag of series.split(/(?<!\\),/).slice(1)) {
    const [name = '', value = ''] = tag.split(/(?<!\\)=/);
    row[name] = value.replace(/\\(.)/g, '$1');
  }
  for (const [, name = '', text, number] of fields.matchAll(/([a-z_\d]+)=(?:"((?:\\.|[^"\\])*)"|([^,]+))/g))
    row[name] = text === undefined ? Number(number?.replace(/i$/, '')) : text.replace(/\\(["\\])/g, '$1');
  return row;
}
