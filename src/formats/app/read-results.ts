import { NightmarkError } from '../../platform/core/errors.ts';
import { nearestFirst } from '../../platform/core/text/nearest.ts';
import { type Format, type FormatReading, opinionOf, type ResultsRule } from '../core/format.ts';

export interface ResultsRequest {
  readonly text: string;
  readonly rule: ResultsRule;
  /** Where the text is from, for messages: a path, or "the output of sort". */
  readonly origin: string;
}

export interface ResultsReading extends FormatReading {
  /** Id of the format that read it. */
  readonly format: string;
}

/** Reads results with the format of the rule, or with the one that recognises them. */
export function readResults(
  { text, rule, origin }: ResultsRequest,
  formats: readonly Format[],
): ResultsReading {
  const format = formatFor({ text, rule, origin }, formats);
  return naming(origin, format, () => ({ ...format.read(text, rule.mapping), format: format.id }));
}

/** The format of the rule, or else the one that recognises the text. */
export function formatFor({ text, rule, origin }: ResultsRequest, formats: readonly Format[]): Format {
  return rule.format === undefined ? recognize(text, origin, formats) : named(rule.format, origin, formats);
}

/** What the format refuses is refused with the place it is from. */
export function naming<T>(origin: string, { id }: Format, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    const message = `${origin}, read as ${id}: ${error.message}`;
    throw new NightmarkError(error.code, message, { ...hint, cause: error });
  }
}

/** Generic formats are tried last, the most specific first. */
const GENERIC = ['ndjson', 'json', 'csv'];
/** What a format is shown of the text, as its port says. */
const HEAD_LENGTH = 65_536;

/** The format that the beginning of the text speaks for. */
export function recognize(text: string, origin: string, formats: readonly Format[]): Format {
  const head = text.slice(0, HEAD_LENGTH);
  const opinions = formats.map((format) => ({ format, opinion: opinionOf(format, head) }));
  const sure = opinions.find(({ opinion }) => opinion === 'sure');
  if (sure) return sure.format;

  const maybe = opinions.filter(({ opinion }) => opinion === 'maybe').map(({ format }) => format);
  const special = maybe.filter(({ id }) => !GENERIC.includes(id));
  if (special.length > 1) throw ambiguous(origin, special);
  const generic = GENERIC.flatMap((id) => maybe.filter((format) => format.id === id));
  return special[0] ?? generic[0] ?? unrecognized(text, origin, formats);
}

function named(id: string, origin: string, formats: readonly Format[]): Format {
  const format = formats.find((it) => it.id === id);
  if (format) return format;
  throw new NightmarkError('IMPORT_UNKNOWN_FORMAT', `${origin}: there is no format "${id}".`, {
    hint: `Known are: ${nearestFirst(id, idsOf(formats)).join(', ')}.`,
  });
}

function ambiguous(origin: string, candidates: readonly Format[]): NightmarkError {
  const ids = idsOf(candidates).join(', ');
  return new NightmarkError('IMPORT_AMBIGUOUS', `${origin}: it could be any of ${ids}.`, {
    hint: 'Choose one with "format" in the results of the experiment.',
  });
}

function unrecognized(text: string, origin: string, formats: readonly Format[]): never {
  const isEmpty = text.trim() === '';
  const start = JSON.stringify(text.trimStart().slice(0, 40));
  const what = isEmpty ? 'it is empty' : `no format recognises it, it begins with ${start}`;
  throw new NightmarkError('IMPORT_UNRECOGNIZED', `${origin}: ${what}.`, {
    hint: isEmpty
      ? 'Check the log for why the command left no results, or name the file with "path".'
      : `Tried: ${idsOf(formats).join(', ')}. Set "path" to the file with the results, or "format" to its format.`,
  });
}

function idsOf(formats: readonly Format[]): readonly string[] {
  return formats.map(({ id }) => id);
}
