const KEY = 'nightmark-name';

/** Who speaks about changes from this browser; empty where nobody said. */
export function rememberedName(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    // Browsers may be told to keep nothing.
    return '';
  }
}

export function rememberName(name: string): void {
  try {
    localStorage.setItem(KEY, name.slice(0, 100));
  } catch {
    // Then it is asked for again.
  }
}
