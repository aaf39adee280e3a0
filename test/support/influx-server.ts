import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const POINT =
  /^((?:\\.|[^\s,\\])+)((?:,(?:\\.|[^\s,=\\])+=(?:\\.|[^\s,=\\])+)*) ([a-z_]+=(?:-?[\d.e+-]+i?|"(?:\\["\\]|[^"\\])*")(?:,[a-z_]+=(?:-?[\d.e+-]+i?|"(?:\\["\\]|[^"\\])*"))*) (\d+)$/;

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

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
