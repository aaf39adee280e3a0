import type { ChangeEvent } from '../../../home/core/changes/change-ledger.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { effectText } from '../../core/changes/change-text.ts';

/** What a line of the ledger says about a change. */
export function eventWords(event: ChangeEvent, unit: string): string {
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
    case 'triaged': {
      const who = event.author === undefined ? '' : ` by ${event.author}`;
      return `said to be ${event.state}${who}${event.note === undefined ? '' : `: ${event.note}`}`;
    }
    case 'explained':
      return `explained: ${event.sentence === '' ? 'nothing that is recorded changed' : event.sentence}`;
    case 'duet':
      return `${event.state} by a duet of ${event.before.slice(0, 12)} and ${event.after.slice(0, 12)}, ${counted(event.pairs, 'pair')}`;
    default:
      return event.type;
  }
}
