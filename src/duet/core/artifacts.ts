/** What a file of the folder artifacts/ is called and says: a column that is the same for the whole folder. */
export interface Artifact {
  readonly name: string;
  readonly value: string;
}

/** Longer texts are cut to their first line: a column is no place for a manual. */
const MAX_LENGTH = 200;
/** Artifacts of which one line is meant, by what stands before it. */
const LABELS: Readonly<Record<string, string>> = { lscpu: 'Model name:', meminfo: 'MemTotal:' };
const WHOLE = ['date', 'hostname', 'uname'];

/** In the order of their columns: those that everybody has, then others by name. */
export const KNOWN_ARTIFACTS: readonly string[] = [...WHOLE, ...Object.keys(LABELS)];

export function artifactValue(name: string, text: string): string {
  const label = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined;
  if (label !== undefined) return labelled(text, label);
  const trimmed = text.trim();
  if (WHOLE.includes(name) || trimmed.length <= MAX_LENGTH) return trimmed;
  return (trimmed.split('\n', 1)[0] ?? '').trim().slice(0, MAX_LENGTH);
}

/** Of the first line with the label, what stands between its first and its second colon. */
function labelled(text: string, label: string): string {
  const line = text.split('\n').find((it) => it.includes(label)) ?? '';
  return (line.split(':')[1] ?? '').trim();
}
