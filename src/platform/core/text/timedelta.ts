/** Reads Python's text of a timedelta ("0:00:02.611025", "1 day, 2:03:04") as milliseconds. */
export function parsePythonTimedelta(text: string): number | undefined {
  const match = /^(?:(\d+) days?, )?(\d+):(\d{2}):(\d{2})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1, 5).map((part) => Number(part ?? 0));
  const micros = Number((match[5] ?? '').padEnd(6, '0'));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + micros / 1000;
}
