/** A whole number from a query string; anything else counts as absent. */
export function numberIn(query: unknown, name: string): number | undefined {
  const text = (query as Record<string, unknown>)[name];
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export function hasFlag(query: unknown, name: string): boolean {
  return (query as Record<string, unknown>)[name] === '1';
}

/** A text that is not empty; one that is given several times counts as absent. */
export function textIn(query: unknown, name: string): string | undefined {
  const text = (query as Record<string, unknown>)[name];
  return typeof text === 'string' && text !== '' ? text : undefined;
}
