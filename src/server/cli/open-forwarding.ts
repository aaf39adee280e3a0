import type { ForwardTarget } from '../../home/core/home.ts';
import { openFileSpool } from '../../metrics/adapters/spool/file-spool.ts';
import {
  type ForwardEffects,
  type Forwarding,
  ForwardWorker,
  forwardPoints,
} from '../../metrics/app/forward-points.ts';
import type { Forwarder, ForwardSecrets } from '../../metrics/core/forward/forwarder.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';

export interface ForwardingPlace {
  readonly targets: readonly ForwardTarget[];
  /** HOME/.nightmark/points/forward: a folder for each target. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The mirrors of a home, with what they could not send before. */
export async function openForwarding(place: ForwardingPlace, effects: ForwardEffects): Promise<Forwarding> {
  const lanes: ForwardWorker[] = [];
  for (const target of place.targets) {
    const forwarder = await loadAdapter<Forwarder>('forwarders', target.to);
    const { url, database } = target;
    const connection = forwarder.open({
      url,
      secrets: secretsOf(target, place.env),
      ...(database !== undefined && { database }),
    });
    const spool = openFileSpool(joinPath(place.folder, target.name), target.bufferBytes);
    lanes.push(new ForwardWorker({ target, spool, connection }, effects));
  }
  return forwardPoints(lanes);
}

function secretsOf(target: ForwardTarget, env: ForwardingPlace['env']): ForwardSecrets {
  const secrets: { user?: string; password?: string; token?: string } = {};
  for (const key of ['user', 'password', 'token'] as const) {
    const name = target[`${key}Env`];
    if (name === undefined) continue;
    const value = env[name];
    if (value === undefined || value === '') {
      throw new NightmarkError(
        'FORWARD_NO_SECRET',
        `${target.name} needs the variable ${name}, which is not set.`,
        {
          hint: `Set it before the server starts: export ${name}=...`,
        },
      );
    }
    secrets[key] = value;
  }
  return secrets;
}
