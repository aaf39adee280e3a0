import { NightmarkError } from '../core/errors.ts';
import { type Options, textOption } from './command.ts';

export function readPercent(text: string, option: string): number {
  const [, number] = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text) ?? [];
  if (number !== undefined) return Number(number) / 100;
  throw invalid(`--${option} "${text}" is not a percentage.`, `For example: --${option} 1%`);
}

export function readLevel(text: string): number {
  const level = text.includes('%') ? readPercent(text, 'level') : Number(text);
  if (level > 0.5 && level < 1) return level;
  throw invalid(`--level "${text}" is not a level between 50% and 100%.`, 'For example: --level 99%');
}

export function wholeNumber(least: number, most: number) {
  return (text: string, option: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw invalid(
      `--${option} "${text}" is not a whole number from ${least} to ${most}.`,
      `For example: --${option} ${Math.max(least, 20)}`,
    );
  };
}

export function optional<T>(
  options: Options,
  name: string,
  read: (text: string, option: string) => T,
): T | undefined {
  const text = textOption(options, name);
  return text === undefined ? undefined : read(text, kebab(name));
}

export function oneOf<T extends string>(options: Options, name: string, allowed: readonly [T, ...T[]]): T {
  const text = textOption(options, name) ?? allowed[0];
  const found = allowed.find((one) => one === text);
  if (found !== undefined) return found;
  throw invalid(`--${kebab(name)} cannot be "${text}".`, `One of: ${allowed.join(', ')}.`);
}

export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function invalid(message: string, hint: string): NightmarkError {
  return new NightmarkError('CLI_INVALID_OPTION', message, { hint });
}
