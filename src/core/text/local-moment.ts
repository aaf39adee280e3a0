/** "2026-03-01 12:00:00" in the zone of this machine, as milliseconds since 1970; undefined for anything else. */
export function localMoment(text: string): number | undefined {
  const parts = /^(\d{4})-(\d{1,2})-(\d{1,2}) (\d{1,2}):(\d{1,2}):(\d{1,2})$/.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1).map(Number);
  const date = new Date(year, month - 1, day, hour, minute, second);
  // The 30th of February would be a day in March.
  return date.getMonth() === month - 1 && date.getDate() === day ? date.getTime() : undefined;
}
