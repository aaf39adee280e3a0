import type { Command } from './executor.ts';
import { type AbsentMeasure, isCounter, type Measure, type Measures } from './measures.ts';
import { PERF_EVENTS, readPerfStat, whyNoCounts } from './perf-stat.ts';

/** The file that a measured command leaves in its folder; that of its counters has `.perf` behind its name. */
export const MEASURES_FILE = 'nightmark-measures.txt';
export const COUNTS_FILE = `${MEASURES_FILE}.perf`;

/**
 * The command with a shell around it that measures it, whichever executor runs it: in a container or on a node it is measured
 * where it runs, without the wait for either. `file` must be in a folder that exists there.
 */
export function measuredCommand(command: Command, file: string, measures: readonly Measure[]): Command {
  return { ...command, argv: measuredArgv(command.argv, file, measures) };
}

export function measuredArgv(
  argv: Command['argv'],
  file: string,
  measures: readonly Measure[],
): readonly [string, ...string[]] {
  const events = measures.some(isCounter) ? PERF_EVENTS : '';
  return ['sh', '-c', IF_BASH, MEASURE, file, events, ...argv];
}

/** Without bash the command runs as it is, and leaves no file: $0 is the script, then its file and events, then the command. */
const IF_BASH =
  'command -v bash >/dev/null 2>&1 || { shift 2; exec "$@"; }; exec bash --norc -p -c "$0" nightmark-measure "$@"';

/**
 * `times` of bash is in milliseconds and that of all children that were waited for; what looking for perf took is
 * written before the command. exec in a copy of the shell: a program is meant, not a builtin of its name. The shell itself says nothing
 * (fd 3 is the stderr of the command). A signal is for the command: the shell waits for its end, and then ends in the same
 * way. perf does not pass on that a command was ended by a signal: the shell below it does, by its exit code.
 */
const MEASURE = [
  'file=$1 events=$2; shift 2; exec 3>&2 2>/dev/null; counted=()',
  'if [[ -n $events ]]; then { perf stat -x, -o "$file.perf" -e "$events" -- true || echo "perf: $?"; } 2>>"$file.perf" >&2',
  'if [[ $(<"$file.perf") =~ ,instructions:u, && ! $(<"$file.perf") =~ \\<not\\ supported\\> ]]',
  'then counted=(perf stat -x, -o "$file.perf" -e "$events" -- bash --norc -p -c \'"$@"; exit $?\' nightmark-count); fi; times >"$file"; fi',
  'trap : TERM INT HUP; began=$EPOCHREALTIME',
  `( exec "\${counted[@]}" "$@" 2>&3 3>&- )`,
  'code=$? ended=$EPOCHREALTIME; { times; echo "$began $ended"; } >>"$file"',
  'if (( code > 128 )); then trap - TERM INT HUP; kill -$(( code - 128 )) $$; fi; exit $code',
].join('; ');

/** What was measured of a command, and what of the requested measures was not. */
export interface CommandMeasures {
  readonly measures: Readonly<Partial<Measures>>;
  readonly absent: readonly AbsentMeasure[];
}

/** Reads the files of a measured command; undefined: there is none. */
export function readCommandMeasures(
  wanted: readonly Measure[],
  file: string | undefined,
  counts: string | undefined,
): CommandMeasures {
  const found: Readonly<Partial<Measures>> = { ...readTimes(file ?? ''), ...readPerfStat(counts ?? '') };
  const measures = Object.fromEntries(
    wanted.flatMap((measure) => (found[measure] === undefined ? [] : [[measure, found[measure]]])),
  );
  const absent = wanted
    .filter((measure) => found[measure] === undefined)
    .map((measure) => ({ measure, reason: whyAbsent(measure, file, counts) }));
  return { measures, absent };
}

function whyAbsent(measure: Measure, file: string | undefined, counts: string | undefined): string {
  if (file === undefined) return 'the command was not measured: that needs bash where it runs';
  if (!isCounter(measure)) return 'bash did not report it';
  if (/perf: 127/.test(counts ?? '')) return 'perf is not installed';
  return whyNoCounts(counts ?? '', '');
}

/**
 * What `times` says of the shell and of its children, before the command where something ran before it, and after it; then
 * "1700000000.123456 1700000001.234567".
 */
function readTimes(text: string): { readonly wall?: number; readonly cpu?: number } {
  const lines = text.trimEnd().split('\n');
  const [clock = '', after = ''] = [lines.at(-1), lines.at(-2)];
  const before = lines.length > 3 ? (lines[1] ?? '') : '0m0.000s 0m0.000s';
  // In some countries the point is a comma.
  const [began = Number.NaN, ended = Number.NaN] = clock.replaceAll(',', '.').split(' ').map(Number);
  const [wall, cpu] = [ended - began, secondsOf(after) - secondsOf(before)];
  return {
    // A clock that was set back in between.
    ...(wall > 0 && { wall: Number(wall.toFixed(6)) }),
    ...(cpu >= 0 && { cpu: Number(cpu.toFixed(3)) }),
  };
}

/** User and system time of a line such as "0m1.234s 0m0.056s". */
function secondsOf(line: string): number {
  const times = [...line.matchAll(/(\d+)m(\d+)[.,](\d+)s/g)];
  if (times.length !== 2) return Number.NaN;
  return times.reduce((sum, [, min, sec, millis]) => sum + Number(min) * 60 + Number(`${sec}.${millis}`), 0);
}
