import type { CliContext } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { Destination } from '../../app/notify/notify-effects.ts';
import { withRetries } from '../../app/notify/with-retries.ts';
import { rehearsalNotice } from '../../core/notices/rehearsal.ts';
import { notifyEffects } from './notify-world.ts';

const LONGEST_MS = 120_000;

/** Sends a notice that says nothing to every destination of a route, also in quiet hours. */
export async function rehearse(
  route: string,
  { destinations, project }: { readonly destinations: readonly Destination[]; readonly project: string },
  context: CliContext,
): Promise<readonly string[]> {
  const chosen = destinations.filter(({ name, route: own }) => own.name === route || name === route);
  if (chosen.length === 0) {
    const names = [...new Set(destinations.map((it) => it.route.name))];
    throw new NightmarkError('NOTIFY_UNKNOWN_ROUTE', `There is no route "${visible(route)}".`, {
      hint: names.length === 0 ? 'nightmark.yml has no "notify".' : `There are: ${names.join(', ')}.`,
    });
  }
  const lines: string[] = [];
  for (const { name, connection, obstacle, route: own } of chosen) {
    if (obstacle !== undefined) throw new NightmarkError('NOTIFY_NO_SECRET', obstacle);
    const notice = rehearsalNotice(own.name, project, context.clock.now());
    const effects = notifyEffects(undefined, context);
    const sent = await withRetries(
      () => connection.send({ notice, kind: 'new', pictures: [] }, context.signal),
      { ...effects, tries: own.tries, deadline: context.clock.now() + LONGEST_MS },
    );
    if (sent.state !== 'sent')
      throw new NightmarkError('NOTIFY_NOT_SENT', `${visible(name)}: ${sent.message}`, {
        hint:
          sent.state === 'busy'
            ? 'The receiver does not answer, or asks for patience.'
            : 'Look at the address, the channel and the credentials of the route.',
      });
    lines.push(`Sent to ${visible(name)}.`);
  }
  return lines;
}
