import type { ChangeEvent } from '../../../home/core/changes/change-ledger.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { effectText } from './change-text.ts';

/** A line of the ledger, for people. `clean` makes what experiments and people wrote fit for the place it is shown at. */
export function eventText(event: ChangeEvent, unit: string, clean = (text: string) => text): string {
  switch (event.type) {
    case 'found':
    case 'moved':
    case 'confirmed': {
      const { shift, runId, isProvisional } = event.change;
      const word = event.type === 'confirmed' ? 'confirmed by more values' : event.type;
      return `${word} at ${clean(runId)}: ${effectText(shift, unit)}${isProvisional ? ', provisional' : ''}`;
    }
    case 'withdrawn':
      return `withdrawn: ${clean(event.reason)}`;
    case 'duet': {
      const { state, before, after, source, pairs, effect, metric = 'time' } = event;
      const ratio = effect ? `, ${clean(metric)} ${ratioText(effect)}` : '';
      const sides = [before, after].map((side) => clean(side).slice(0, 12)).join(' and ');
      return `${state} by a duet of ${clean(source)} ${sides}: ${counted(pairs, 'pair')}${ratio}`;
    }
    case 'explained':
      return `explained: ${event.sentence === '' ? 'nothing that is recorded changed' : clean(event.sentence)}`;
    case 'triaged': {
      const who = event.author === undefined ? '' : ` by ${clean(event.author)}`;
      return `called ${event.state}${who}${event.note === undefined ? '' : `: ${clean(event.note)}`}`;
    }
    default:
      return event.type;
  }
}

function ratioText({ ratio, low, high }: { ratio: number; low: number; high: number }): string {
  return `x ${ratio.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
}
