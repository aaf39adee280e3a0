import { type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

/** A count from an option. */
export function wholeNumber(options: Options, name: string, usual: number): number {
  const text = textOption(options, name);
  if (text === undefined) return usual;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  const flagName = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new NightmarkError('CLI_INVALID_OPTION', `--${flagName} ${text} is no count.`, {
    hint: `Say a whole number: --${flagName} ${usual}.`,
  });
}
