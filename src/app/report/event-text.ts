import { effectText } from '../../core/changes/change-text.ts';
import type { ChangeEvent } from '../../core/model/change-ledger.ts';
import { counted } from '../../core/text/numbers.ts';

/** A line of the ledger, for people. */
export function eventText(event: ChangeEvent, unit: string): string {
  switch (event.type) {
    case 'found':
    case 'moved':
    case 'confirmed': {
      const { shift, runId, isProvisional } = event.change;
      const word = event.type === 'confirmed' ? 'confirmed by more values' : event.type;
      return `${word} at ${runId}: ${effectText(shift, unit)}${isProvisional ? ', provisional' : ''}`;
    }
    case 'withdrawn':
      return `withdrawn: ${event.reason}`;
    case 'duet':
      return `${event.state} by a duet of ${event.source} ${event.before} and ${event.after}: ${counted(event.pairs, 'pair')}`;
    case 'explained':
      return `explained: ${event.sentence === '' ? 'nothing that is recorded changed' : event.sentence}`;
    case 'triaged':
      return [
        `called ${event.state}`,
        ...(event.author === undefined ? [] : [`by ${event.author}`]),
        ...(event.note === undefined ? [] : [event.note]),
      ].join(', ');
    default:
      return event.type;
  }
}
