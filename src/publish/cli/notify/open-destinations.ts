import type { NotifyRoute } from '../../../home/core/home.ts';
import { loadAdapter } from '../../../platform/cli/adapters.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import type { Destination } from '../../app/notify/notify-effects.ts';
import type { Notifier, NotifyPlace, NotifySecrets } from '../../core/notifier.ts';

/** The routes of a home with their notifiers; a route to several channels leads to several destinations. */
export async function openDestinations(
  routes: readonly NotifyRoute[],
  { env }: Pick<CliContext, 'env'>,
): Promise<readonly Destination[]> {
  const destinations: Destination[] = [];
  for (const route of routes) {
    const notifier = await loadAdapter<Notifier>('notifiers', route.to);
    const { secrets, missing } = secretsOf(route, env);
    const obstacle =
      missing.length === 0
        ? {}
        : { obstacle: `${missing.join(', ')}: not set in the environment, and the route needs it.` };
    for (const channel of route.channels.length === 0 ? [undefined] : route.channels) {
      destinations.push({
        name: route.channels.length > 1 ? `${route.name} ${channel}` : route.name,
        route,
        connection: notifier.open(placeOf(route, { channel, secrets, env })),
        ...obstacle,
      });
    }
  }
  return destinations;
}

interface PlaceParts {
  readonly channel: string | undefined;
  readonly secrets: NotifySecrets;
  readonly env: CliContext['env'];
}

function placeOf(route: NotifyRoute, { channel, secrets, env }: PlaceParts): NotifyPlace {
  const url = route.to === 'slack' ? env['SLACK_API_URL'] : route.url;
  return {
    ...(channel !== undefined && { channel }),
    addresses: route.addresses,
    ...(route.from !== undefined && { from: route.from }),
    ...(url !== undefined && { url }),
    secrets,
    timeoutMs: route.timeoutMs,
  };
}

function secretsOf({ variables }: NotifyRoute, env: CliContext['env']) {
  const missing: string[] = [];
  const secrets: Record<string, string> = {};
  for (const [what, variable] of Object.entries(variables)) {
    const value = env[variable];
    if (value === undefined || value === '') missing.push(variable);
    // What it can is known without: a preview is the same before somebody sets it.
    secrets[what] = value ?? '';
  }
  return { secrets: secrets as NotifySecrets, missing };
}
