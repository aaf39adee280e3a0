import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type RealServer, startReal } from './real-server.ts';

/** Where a real server keeps its data and listens, over several starts. */
export interface ServerPlace {
  readonly folder: string;
  readonly port: number;
}

export async function newServerPlace(): Promise<ServerPlace> {
  return { folder: mkdtempSync(join(tmpdir(), 'nightmark-metrics-')), port: await freePort() };
}

export function removePlace({ folder }: ServerPlace): void {
  rmSync(folder, { recursive: true, force: true });
}

export async function startInfluxdb({ folder, port }: ServerPlace): Promise<RealServer> {
  const config = join(folder, 'influx.conf');
  writeFileSync(
    config,
    `reporting-disabled = true
bind-address = "127.0.0.1:${await freePort()}"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
  query-log-enabled = false
[http]
  bind-address = "127.0.0.1:${port}"
  log-enabled = false
`,
  );
  return startReal({ program: 'influxd', args: ['-config', config], port, path: '/ping' });
}

export async function startVictoria({ folder, port }: ServerPlace): Promise<RealServer> {
  const args = [
    `-httpListenAddr=127.0.0.1:${port}`,
    `-storageDataPath=${folder}/d`,
    '-search.latencyOffset=0s',
  ];
  return startReal({ program: 'victoria-metrics', args, port, path: '/health' });
}

/** A receiver of remote write that scrapes nothing. */
export async function startPrometheus({ folder, port }: ServerPlace): Promise<RealServer> {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'p.yml');
  writeFileSync(config, 'scrape_configs: []\n');
  const args = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${folder}/tsdb`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--web.enable-remote-write-receiver',
  ];
  return startReal({ program: 'prometheus', args, port, path: '/-/ready' });
}

/** Rows of a query to InfluxDB, [time, values...], with nanoseconds as texts. */
export async function influxRows(url: string, database: string, query: string): Promise<readonly unknown[]> {
  const search = new URLSearchParams({ db: database, q: query, epoch: 'ns' });
  const text = await (await fetch(`${url}/query?${search}`, { method: 'POST' })).text();
  // Nanoseconds are beyond what JSON.parse keeps.
  const answer = JSON.parse(text.replace(/\[(\d{16,}),/g, '["$1",')) as {
    results: { series?: { values: unknown[] }[]; error?: string }[];
  };
  return answer.results.flatMap(({ series = [] }) => series.flatMap(({ values }) => values));
}

/** Samples of one selector over all time, by the API that Prometheus and VictoriaMetrics share. */
export async function promSamples(url: string, selector: string, at: number): Promise<readonly unknown[]> {
  const search = new URLSearchParams({ query: `${selector}[1h]`, time: String(at) });
  const answer = (await (await fetch(`${url}/api/v1/query?${search}`)).json()) as {
    data: { result: { metric: object; values: unknown[] }[] };
  };
  return answer.data.result.map(({ metric, values }) => [metric, values]);
}
