import type { TableCell } from '../../../charts/core/chart.ts';
import { pageLink } from '../../core/notices/page-link.ts';

/** Cells of tables that lead to the page of the home, where it has a public one; otherwise they are plain text. */
export interface ReportLinks {
  run(id: string, text?: string): TableCell;
  experiment(name: string, text?: string): TableCell;
  change(id: string): TableCell;
}

export function linksTo(page: string | undefined): ReportLinks {
  return {
    run: (id, text = id) => ({ text, ...pageLink(page, 'runs', id) }),
    experiment: (name, text = name) => ({ text, ...pageLink(page, 'experiments', name) }),
    change: (id) => ({ text: id, ...pageLink(page, 'changes', id) }),
  };
}
