import { formatFor, naming, type ResultsRequest } from '../../formats/app/read-results.ts';
import type { Format, RunReading } from '../../formats/core/format.ts';
import type { SampleSet } from '../../formats/core/sample.ts';
import { stableSamples } from '../../formats/core/stable-names.ts';
import { lettersOf } from '../../home/app/run-id.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { sha256 } from '../../platform/core/text/sha256.ts';
import { directionOf } from '../../platform/core/units.ts';
import { experimentName } from './experiment-name.ts';
import type { FileReading, ImportedRun, ImportFile, ImportOptions } from './import-request.ts';

/** Reads one file into runs; those without a usable result, or of another branch, are counted and left out. */
export function readImport(
  file: ImportFile,
  options: ImportOptions,
  formats: readonly Format[],
): FileReading {
  const { name, path, text, beside } = file;
  const request = { text, rule: options.rule, origin: name };
  const format = importFormat(request, formats);
  const readings: readonly RunReading[] = naming(name, format, () =>
    format.readRuns ? format.readRuns(text, beside, path) : [format.read(text, options.rule.mapping)],
  );
  const { branch } = options;
  const isOther = (run: RunReading) => branch !== undefined && (run.branch ?? branch) !== branch;
  const skippedRuns = readings.filter(isOther).map((run) => `a run of branch ${run.branch}`);
  const usable = readings.filter((run) => !isOther(run) && run.samples.length > 0);
  refuseSeveral(file, usable.length, options);
  const runs = usable.map((run) => toRun(run, { file, options, format: format.id }));
  return {
    file: name,
    format: format.id,
    runs,
    read: runs.flatMap(({ samples }) => samples).reduce((sum, { values }) => sum + values.length, 0),
    failed: readings.flatMap((run) => (isOther(run) ? [] : run.failed)),
    skipped: [...skippedRuns, ...readings.flatMap((run) => (isOther(run) ? [] : run.skipped))],
  };
}

/** As of the results of an experiment, but what helps is an option of the command. */
export function importFormat(request: ResultsRequest, formats: readonly Format[]): Format {
  try {
    if (request.text.slice(0, HEAD).includes('\0')) throw binary(request.origin);
    return formatFor(request, formats);
  } catch (error) {
    if (!(error instanceof NightmarkError) || !UNCLEAR.has(error.code)) throw error;
    const isEmpty = request.text.trim() === '';
    const ids = formats.map(({ id }) => id).join(', ');
    const hint = isEmpty
      ? 'Check why the benchmark wrote nothing.'
      : `Choose how to read it with --format: ${ids}.`;
    throw new NightmarkError(error.code, error.message, { hint, cause: error });
  }
}

const HEAD = 65_536;
const UNCLEAR = new Set(['IMPORT_UNRECOGNIZED', 'IMPORT_AMBIGUOUS']);

function binary(origin: string): NightmarkError {
  return new NightmarkError('IMPORT_BINARY', `${origin} is not a text: it has NUL characters in it.`, {
    hint: 'Give the results as text: JSON, CSV or what the tool prints. Unpack an archive first.',
  });
}

/** Refuses an import of which nothing can be used. */
export function requireRuns(files: readonly FileReading[]): void {
  if (files.some(({ runs }) => runs.length > 0)) return;
  const [first] = files;
  const [reason] = files.flatMap(({ failed, skipped }) => [...failed, ...skipped]);
  const why = reason === undefined ? '' : `; the first: ${reason}`;
  const where =
    files.length === 1 ? `${first?.file}, read as ${first?.format},` : `All ${files.length} files together`;
  const has = files.length === 1 ? 'has' : 'have';
  throw new NightmarkError('IMPORT_NO_RESULTS', `${where} ${has} no result that can be used${why}.`, {
    hint: 'Nothing was stored. "--format" names another format, "--branch" another branch.',
  });
}

function refuseSeveral({ name }: ImportFile, runs: number, options: ImportOptions): void {
  const single = (['at', 'commit'] as const).find((option) => options[option] !== undefined);
  if (runs <= 1 || single === undefined) return;
  throw new NightmarkError('IMPORT_ONE_RUN', `--${single} is that of one run, but ${name} has ${runs}.`, {
    hint: `Leave out --${single}: each run keeps what is in the file.`,
  });
}

interface Origin {
  readonly file: ImportFile;
  readonly options: ImportOptions;
  readonly format: string;
}

function toRun(reading: RunReading, { file, options, format }: Origin): ImportedRun {
  const experiment = options.experiment ?? experimentName({ suite: reading.suite, format }, file.path);
  const known = options.at ?? reading.at;
  const at = Math.round(known ?? file.writtenAt);
  if (!(at >= 0 && at < YEAR_10000)) {
    throw new NightmarkError('IMPORT_TIME', `${file.name}: invalid time of a run: ${at} ms since 1970.`, {
      hint: 'Give the right time with --at, for example --at 2026-01-05T03:07:00Z.',
    });
  }
  const commit = options.commit ?? reading.commit;
  const branch = options.branch ?? reading.branch;
  const machine = options.machine === undefined ? reading.machine : { name: options.machine, facts: {} };
  const commits =
    commit === undefined ? {} : { [options.sourceName(experiment, reading.repository)]: shortCommit(commit) };
  const samples = reading.samples.map((set) => ({
    ...set,
    settings: { ...set.settings, ...options.settings },
  }));
  const keyAt = (time: number | null) =>
    keyOf([experiment, time, commits, branch ?? '', machine?.name ?? '', samples.map(asKeyed)]);
  return {
    key: keyAt(known ?? at),
    ...(known === undefined && { formerKey: keyAt(null) }),
    ...{ at, experiment, samples: stableSamples(samples, { commits }), commits },
    ...{ failed: reading.failed, skipped: reading.skipped },
    ...(branch !== undefined && { branch }),
    ...(machine && { machine }),
    file: file.name,
    format,
  };
}

function keyOf(content: readonly unknown[]): string {
  return lettersOf(BigInt(`0x${sha256(JSON.stringify(content))}`), KEY_LETTERS);
}

/** Directions were once part of what is read: whether a run is known must not depend on what is inferred. */
function asKeyed(set: SampleSet): SampleSet {
  return set.better === 'unknown' ? { ...set, better: directionOf(set.unit) } : set;
}

/** Of 100,000 imports, two have the same key by chance in one home of 40,000. */
const KEY_LETTERS = 10;
const YEAR_10000 = 253_402_300_800_000;

const MAX_COMMIT = 100;

/** Long enough to be the only one in any repository, short enough to be read. */
function shortCommit(commit: string): string {
  return /^[0-9a-f]{13,64}$/.test(commit) ? commit.slice(0, 12) : commit.slice(0, MAX_COMMIT);
}
