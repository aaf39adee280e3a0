import type { DuetReadingEffects } from '../../duet/app/read-duet-view.ts';
import { parseDuetFile } from '../../duet/config/read-duet-file.ts';
import type { Format } from '../../formats/core/format.ts';
import { loadAll } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/command.ts';

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
