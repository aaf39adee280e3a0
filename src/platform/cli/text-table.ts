/** Columns that line up, two blanks between them; `paint` colours a cell without changing its width. */
export function textTable(
  rows: readonly (readonly string[])[],
  options: {
    /** By column. */
    readonly isRight?: readonly boolean[];
    readonly paint?: (text: string, row: number, column: number) => string;
  } = {},
): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, lengthOf(cell));
  }
  const paint = options.paint ?? ((text) => text);
  return rows.map((row, y) =>
    row
      .map((cell, x) => {
        const blanks = ' '.repeat(Math.max(0, (widths[x] ?? 0) - lengthOf(cell)));
        const painted = cell === '' ? cell : paint(cell, y, x);
        return options.isRight?.[x] ? blanks + painted : painted + blanks;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Truncates to a number of characters. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const all = [...text];
  return all.length <= most ? text : `${all.slice(0, Math.max(1, most - 1)).join('')}…`;
}

/** Characters outside of the basic plane are two code units and one cell. */
function lengthOf(text: string): number {
  return /[\ud800-\udfff]/.test(text) ? [...text].length : text.length;
}
