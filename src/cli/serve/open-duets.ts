import type { DuetReadingEffects } from '../../app/duet/read-duet-view.ts';
import { parseDuetFile } from '../../config/duet/read-duet-file.ts';
import type { Format } from '../../core/ports/format.ts';
import { loadAll } from '../adapters.ts';
import type { CliContext } from '../context.ts';

/** What reading duets takes; formats are loaded when somebody looks at the first. */
export function openDuets({ disk, clock, signal }: CliContext): () => Promise<DuetReadingEffects> {
  let formats: Promise<readonly Format[]> | undefined;
  return async () => {
    formats ??= loadAll<Format>('formats');
    return { disk, clock, signal, formats: await formats, suiteOf };
  };
}

function suiteOf(file: string, text: string) {
  const reading = parseDuetFile(file, text);
  return reading.state === 'usable' ? reading.suite : undefined;
}
