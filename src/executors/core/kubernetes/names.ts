/** The longest label value, and the longest name that fits into one. */
const MOST = 63;

/** A name that the API takes: small letters, digits and dashes, at most 63 with its ending. */
export function objectName(text: string, ending = ''): string {
  const room = MOST - (ending === '' ? 0 : ending.length + 1);
  const legal = ascii(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, room)
    .replace(/^-+|-+$/g, '');
  return [legal || 'nightmark', ending].filter((part) => part !== '').join('-');
}

/** A value that a label may have: letters, digits, dashes, dots and underscores, at most 63. */
export function labelValue(text: string): string {
  return ascii(text)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MOST)
    .replace(/[^A-Za-z0-9]+$/, '');
}

/** What the label of a run says: one that had to be changed is told apart from its likes by a sum of its letters. */
export function runLabel(runId: string): string {
  const legal = labelValue(runId);
  if (legal === runId && legal !== '') return legal;
  let sum = 2166136261; // FNV-1a
  for (const byte of new Uint8Array([...runId].map((letter) => letter.codePointAt(0) ?? 0)))
    sum = Math.imul(sum ^ byte, 16777619) >>> 0;
  return labelValue(`${legal.slice(0, 50)}-${sum.toString(16).padStart(8, '0')}`);
}

/** Labels with legal values; those of which nothing is left are left out. */
export function legalLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  const legal = Object.entries(labels).map(([key, value]) => [key, labelValue(value)] as const);
  return Object.fromEntries(legal.filter(([, value]) => value !== ''));
}

/** Letters with marks lose them rather than the letter. */
function ascii(text: string): string {
  return text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
}
