import type { CliContext } from '../../platform/cli/context.ts';
import type { TableFile, TableForm, TableSyntax } from '../core/table/iteration-table.ts';

/** A table that is written as it is made: to a file that appears when it is whole, or to the standard output. */
export interface TableOutput {
  begin(form: TableForm): void;
  add(file: TableFile): void;
  finish(): void;
  /** Leaves no half of a table; does nothing after `finish`. */
  discard(): void;
}

/** Characters that are written at once. */
const BLOCK = 1 << 20;

export async function openTable(
  path: string | undefined,
  syntax: TableSyntax,
  { disk, stdout }: CliContext,
): Promise<TableOutput> {
  const file = path === undefined ? undefined : await disk.openWriter(path);
  let form: TableForm | undefined;
  let waiting: string[] = [];
  let length = 0;
  let isFirst = true;
  const write = () => {
    const text = waiting.join('');
    if (file) file.write(text);
    else stdout.write(text);
    waiting = [];
    length = 0;
  };
  return {
    begin(it) {
      form = it;
      waiting.push(syntax.begin(it.columns));
    },
    add(it) {
      if (form === undefined || it.reading.numbers.length === 0) return;
      const text = syntax.rows(form, it, isFirst);
      isFirst = false;
      waiting.push(text);
      length += text.length;
      if (length > BLOCK) write();
    },
    finish() {
      waiting.push(syntax.end);
      write();
      file?.finish();
    },
    discard: () => file?.discard(),
  };
}
