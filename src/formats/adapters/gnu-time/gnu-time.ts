import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Format } from '../../core/format.ts';
import { createReading, type ReadingBuilder } from '../../core/reading-builder.ts';

/** `/usr/bin/time -v`: a block of lines for each command. */
const gnuTime: Format = {
  id: 'gnu-time',
  title: 'GNU time (-v)',
  recognizes: [
    /^\s*Command being timed: "/m,
    /^\s*User time \(seconds\): /m,
    /^\s*Maximum resident set size \(kbytes\): /m,
  ],
  read(text) {
    const reading = createReading();
    let block: Block | undefined;
    let ending: string | undefined;
    let found = 0;
    for (const line of text.split(/\r?\n/)) {
      ending = ENDING.exec(line)?.[1] ?? ending;
      const [, command] = COMMAND.exec(line) ?? [];
      if (command !== undefined) {
        if (block) reading.failed.push(`"${block.command}" has no line "Exit status"`);
        block = { command, ...(ending !== undefined && { ending }), rows: new Map() };
        ending = undefined;
        found++;
      }
      // The label of the wall clock has colons itself.
      const [, label = '', value = ''] = /^\s*([A-Z].*): (\S+)$/.exec(line) ?? [];
      if (block && label !== '') block.rows.set(label, value);
      if (block && label === 'Exit status') {
        readBlock(block, reading);
        block = undefined;
      }
    }
    if (block) reading.failed.push(`"${block.command}" has no line "Exit status"`);
    if (found > 0) return reading.finish();
    throw new NightmarkError('IMPORT_NO_NUMBERS', 'There is no line "Command being timed" in it.', {
      hint: 'Use the file of "/usr/bin/time -v -o FILE COMMAND"; the "time" of a shell is another program.',
    });
  },
};

export default gnuTime;

const COMMAND = /^\s*Command being timed: "(.*)"$/;
/** Above the block of a command that failed. Only this line knows of a signal: the exit status is then 0. */
const ENDING = /^Command ((?:exited with|terminated by|stopped by) .+)$/;

interface Block {
  readonly command: string;
  readonly ending?: string;
  readonly rows: Map<string, string>;
}

const METRICS: readonly (readonly [label: string, metric: string, unit: string])[] = [
  ['Elapsed (wall clock) time (h:mm:ss or m:ss)', 'time', 's'],
  ['User time (seconds)', 'user', 's'],
  ['System time (seconds)', 'system', 's'],
  ['Maximum resident set size (kbytes)', 'memory', 'KiB'],
  ['Major (requiring I/O) page faults', 'major-faults', ''],
  ['Minor (reclaiming a frame) page faults', 'minor-faults', ''],
  ['Voluntary context switches', 'voluntary-switches', ''],
  ['Involuntary context switches', 'involuntary-switches', ''],
];

/** What a failing program takes says nothing of the program. */
function readBlock({ command, ending, rows }: Block, reading: ReadingBuilder): void {
  const status = rows.get('Exit status');
  if (ending !== undefined || status !== '0') {
    reading.failed.push(`"${command}" ${ending ?? `exited with status ${status}`}`);
    return;
  }
  for (const [label, metric, unit] of METRICS) {
    const text = rows.get(label);
    const value = amountOf(text ?? '');
    if (value === undefined)
      reading.failed.push(`"${command}": "${label}" is ${text === undefined ? 'missing' : `"${text}"`}`);
    else
      reading.set({ benchmark: [command], metric, unit, better: 'lower' })(
        value,
        () => `"${command}": ${metric}`,
      );
  }
}

/** "0:01.25" and "1:02:03" in seconds, or a plain number. */
function amountOf(text: string): number | undefined {
  if (!/^(?:\d+:){0,2}\d+(?:\.\d+)?$/.test(text)) return undefined;
  const [seconds = 0, minutes = 0, hours = 0] = text.split(':').map(Number).toReversed();
  return hours * 3600 + minutes * 60 + seconds;
}
