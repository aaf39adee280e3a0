import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type RealServer, startReal } from './real-server.ts';

/** A real nginx that serves a folder and nothing else, on loopback. Its own files go to `work`. */
export async function serveFolder(folder: string, work: string): Promise<RealServer> {
  mkdirSync(work, { recursive: true });
  const port = await freePort();
  const conf = join(work, 'nginx.conf');
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${work}/t;`)
    .join(' ');
  const types = 'types { text/html html; text/javascript js; text/css css; image/svg+xml svg; }';
  writeFileSync(
    conf,
    `daemon off; pid ${work}/pid; error_log stderr; events {} http { access_log off; ${temps} ${types} server { listen 127.0.0.1:${port}; root ${folder}; } } user root;`,
  );
  return startReal({ program: 'nginx', args: ['-c', conf, '-p', work, '-e', 'stderr'], port });
}
