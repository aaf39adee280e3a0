/** "2026-01-31 02:00 UTC": a report is read in other places than it was made in. */
export function momentText(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'an unknown moment';
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function dayText(at: number): string {
  return momentText(at).slice(0, 10);
}
