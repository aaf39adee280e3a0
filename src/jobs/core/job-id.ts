/**
 * 24 hex digits: seconds since 1970, then ten digits of chance, then a count. The shape of the ids that users of the old
 * monitor have in their notes; text order is the order of time.
 */
export function jobIds(now: number, random: () => number): () => string {
  const seconds = hex(Math.floor(now / 1000), 8);
  const chance = hex(random(), 8) + hex(random() & 0xff, 2);
  // From anywhere: the last six digits name folders, and those of two submissions should differ.
  let count = random() & 0xffffff;
  return () => {
    const id = seconds + chance + hex(count, 6);
    count = (count + 1) & 0xffffff;
    return id;
  };
}

/** What people type and see: the last six digits. */
export function shortId(id: string): string {
  return id.slice(-6);
}

function hex(value: number, digits: number): string {
  return (value >>> 0).toString(16).padStart(digits, '0').slice(-digits);
}
