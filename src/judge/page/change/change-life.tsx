import { Minute } from '../../../platform/page/parts/time.tsx';
import type { ChangeDocument } from '../../app/changes/read-change.ts';
import { eventWords } from './event-words.ts';

/** Everything that was written down about it, oldest first. */
export function ChangeLife({ found: { change, events } }: { readonly found: ChangeDocument }) {
  return (
    <section aria-labelledby="life">
      <h2 id="life">Its life</h2>
      <ol class="life">
        {events.map((event, place) => (
          <li key={place}>
            <Minute at={event.at} /> {eventWords(event, change.unit)}
          </li>
        ))}
      </ol>
      <p class="quiet">
        Rests on the rule {change.detector}; found <Minute at={change.foundAt} />.
      </p>
    </section>
  );
}
