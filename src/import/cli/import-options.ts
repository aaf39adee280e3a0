import type { ResultMapping } from '../../formats/core/format.ts';
import { type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { whyInvalidName } from '../../platform/core/path.ts';
import { parseIsoTime } from '../../platform/core/text/parse-date.ts';
import type { ImportOptions } from '../app/import-request.ts';

/** Reads the options about the results; the name of the source comes from the home. */
export function importOptions(options: Options): Omit<ImportOptions, 'sourceName'> {
  const text = (name: string) => {
    const value = textOption(options, name);
    if (value?.trim() === '') throw invalid(`--${name} is empty.`);
    return value;
  };
  const [format, experiment, at, commit] = ['format', 'experiment', 'at', 'commit'].map(text);
  const [branch, machine] = ['branch', 'machine'].map(text);
  const why = experiment === undefined ? undefined : whyInvalidName(experiment);
  if (why !== undefined) throw invalid(`invalid --experiment "${experiment}": ${why}.`);
  return {
    rule: { mapping: mappingOf(options), ...(format !== undefined && { format }) },
    settings: settingsOf(options['setting']),
    ...(experiment !== undefined && { experiment }),
    ...(at !== undefined && { at: momentOf(at) }),
    ...(commit !== undefined && { commit }),
    ...(branch !== undefined && { branch }),
    ...(machine !== undefined && { machine }),
  };
}

function mappingOf(options: Options): ResultMapping {
  const list = (name: string) =>
    textOption(options, name)
      ?.split(',')
      .map((part) => part.trim());
  const [value, name, unit] = [list('value'), list('name'), textOption(options, 'unit')];
  const better = textOption(options, 'better');
  if (better !== undefined && better !== 'lower' && better !== 'higher')
    throw invalid(`--better "${better}" is neither lower nor higher.`);
  return { ...(value && { value }), ...(name && { name }), ...(unit && { unit }), ...(better && { better }) };
}

function settingsOf(given: Options[string]): ImportOptions['settings'] {
  const settings = Array.isArray(given) ? (given as readonly string[]) : [];
  return Object.fromEntries(
    settings.map((setting) => {
      const match = /^([^=]+)=(.*)$/s.exec(setting);
      if (!match) throw invalid(`invalid --setting "${setting}": expected key=value.`, '--setting threads=4');
      return [match[1] ?? '', match[2] ?? ''];
    }),
  );
}

/** A day, a time (UTC unless it names a zone), or seconds or milliseconds since 1970. */
function momentOf(text: string): number {
  if (/^\d{9,10}(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (/^\d{12,13}$/.test(text)) return Number(text);
  const at = parseIsoTime(text);
  if (at !== undefined) return at;
  throw invalid(
    `invalid --at "${text}": expected a time.`,
    '--at 2026-01-05T03:07:00Z, or seconds since 1970',
  );
}

function invalid(message: string, example?: string): NightmarkError {
  const hint = example === undefined ? {} : { hint: `For example: ${example}` };
  return new NightmarkError('CLI_INVALID_OPTION', message, hint);
}
