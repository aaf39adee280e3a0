import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Run {
  readonly id: number;
  readonly test: string;
  readonly description: string | null;
  readonly start: string | null;
  readonly stop: string | null;
  readonly access: string | null;
  readonly data: unknown;
}

/** The calls of Horreum's HTTP interface that we use, as it documents them. */
export class HorreumServer {
  readonly runs: Run[] = [];
  readonly tests: readonly string[];
  readonly #key: string | undefined;
  readonly #server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const say = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (this.#key !== undefined && request.headers['x-horreum-api-key'] !== this.#key) return say(401, 'no');
    const [, name] = /^\/api\/test\/byName\/(.+)$/.exec(pathname) ?? [];
    if (name !== undefined) {
      const id = this.tests.indexOf(decodeURIComponent(name));
      return id < 0 ? say(404, 'No test') : say(200, { id, name });
    }
    const [, test] = /^\/api\/run\/list\/(\d+)$/.exec(pathname) ?? [];
    if (test !== undefined) {
      const of = this.runs.filter((run) => run.test === this.tests[Number(test)]);
      const limit = Number(searchParams.get('limit'));
      const from = (Number(searchParams.get('page')) - 1) * limit;
      const runs = of.slice(from, from + limit).map(({ data: _, ...run }) => run);
      return say(200, { total: of.length, runs });
    }
    if (request.method !== 'POST' || pathname !== '/api/run/data') return say(405, pathname);
    const get = (key: string) => searchParams.get(key);
    if (!/^\d+$/.test(get('start') ?? '') || !/^\d+$/.test(get('stop') ?? ''))
      return say(400, 'Cannot parse time');
    if (!this.tests.includes(get('test') ?? '')) return say(404, 'Failed to find test');
    const id = this.runs.length + 1;
    const [start, stop] = [get('start'), get('stop')];
    const facts = { description: get('description'), start, stop, access: get('access') };
    this.runs.push({ id, test: get('test') ?? '', ...facts, data: JSON.parse(text) });
    say(202, [id]);
  });

  constructor(tests: readonly string[], key?: string) {
    this.tests = tests;
    this.#key = key;
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
