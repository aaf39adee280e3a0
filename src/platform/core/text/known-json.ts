const texts = new WeakMap<object, string>();

/** The JSON of an object that is never changed and asked for again and again: commits of a night, in every history. */
export function knownJson(value: object): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}
