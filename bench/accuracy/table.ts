/** Prints rows under their names, columns as wide as they need to be; numbers stand right. */
export function printTable(
  title: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  console.log(`\n${title}\n${line(header)}`);
  for (const row of rows) console.log(line(row));
}

export function percent(share: number | undefined): string {
  return share === undefined ? '' : `${(share * 100).toFixed(1)} %`;
}
