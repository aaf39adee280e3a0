/** A day or a moment as ISO 8601 writes it, in milliseconds since 1970; UTC unless it names a zone. Undefined: it is none. */
export function parseIsoTime(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|[+-]\d\d:?\d\d)?)?$/i.exec(
    text,
  );
  if (!match) return undefined;
  const [, day, time = '00:00', zone = 'Z'] = match;
  const colon = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const at = Date.parse(`${day}T${time}${colon}`);
  return Number.isFinite(at) ? at : undefined;
}
