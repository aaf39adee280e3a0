import type { Attributes } from './markup.ts';
import { NotOurs } from './not-ours.ts';

const NUMBER = /^-?\d{1,9}(?:\.\d{1,20})?$/;

export function numberOf(attributes: Attributes, name: string, usual: number): number {
  const text = attributes.get(name);
  if (text === undefined) return usual;
  return plainNumber(text);
}

export function plainNumber(text: string): number {
  if (!NUMBER.test(text)) throw new NotOurs(`the number ${text.slice(0, 40)}`);
  return Number(text);
}

/** undefined: none. */
export function colourOf(text: string): number | undefined {
  if (text === 'none') return undefined;
  if (!/^#[0-9a-fA-F]{6}$/.test(text)) throw new NotOurs(`the colour ${text.slice(0, 40)}`);
  return Number.parseInt(text.slice(1), 16);
}

/** The numbers of `name(1 2 3)`; undefined where nothing is said. */
export function transformOf(attributes: Attributes, name: string): readonly number[] | undefined {
  const text = attributes.get('transform');
  if (text === undefined) return undefined;
  if (!text.startsWith(`${name}(`) || !text.endsWith(')'))
    throw new NotOurs(`the transform ${text.slice(0, 40)}`);
  return text
    .slice(name.length + 1, -1)
    .split(' ')
    .map(plainNumber);
}

/** One of the words that an attribute may have; the first unless it is there. */
export function wordOf<const Word extends string>(
  attributes: Attributes,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const text = attributes.get(name) ?? words[0];
  const word = words.find((each) => each === text);
  if (word === undefined) throw new NotOurs(`${name} ${text.slice(0, 40)}`);
  return word;
}
