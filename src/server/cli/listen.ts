import type { FastifyInstance } from 'fastify';
import { NightmarkError } from '../../platform/core/errors.ts';

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Name of this machine, for the address to print when it listens on all of them. */
  readonly hostName: string;
}

/** Begins to listen and gives the address to open. */
export async function listen(app: FastifyInstance, { host, port, hostName }: ListenOptions): Promise<string> {
  const bare = host.replace(/^\[|\]$/g, '');
  try {
    await app.listen({ host: bare, port });
  } catch (error) {
    throw explain(error, bare, port);
  }
  const address = app.server.address();
  const realPort = typeof address === 'object' && address !== null ? address.port : port;
  const name = bare === '0.0.0.0' || bare === '::' ? hostName : bare;
  return `http://${name.includes(':') ? `[${name}]` : name}:${realPort}/`;
}

function explain(error: unknown, host: string, port: number): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new NightmarkError('SERVE_PORT_TAKEN', `Port ${port} on ${host} is taken.`, {
        hint: 'Another "nightmark serve" may hold it. --port 0 takes any free one.',
        cause: error,
      });
    case 'EACCES':
      return new NightmarkError('SERVE_PORT_DENIED', `Port ${port} on ${host} is not allowed to this user.`, {
        hint: 'Choose one above 1023, for example --port 4177.',
        cause: error,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new NightmarkError('SERVE_HOST_UNKNOWN', `This machine has no address "${host}".`, {
        hint: 'Use --host 127.0.0.1, an address that "ip addr" lists, or 0.0.0.0 for all of them.',
        cause: error,
      });
    default:
      return error;
  }
}
