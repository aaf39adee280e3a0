/** A whole number from a query string; anything else counts as absent. */
export function numberIn(query: unknown, name: string): number | undefined {
  const text = (query as Record<string, unknown>)[name];
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export function hasFlag(query: unknown, name: string): boolean {
  return (query as Record<string, unknown>)[name] === '1';
}
