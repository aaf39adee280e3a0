import type { IngestReport } from '../../metrics/core/lines/ingest-counters.ts';
import type { PointService } from '../../metrics/server/point-service.ts';

/** At most one line in this time, however much is refused. */
const EVERY_MS = 10_000;

/** Tells when lines were refused or packets lost since the last look. Gives what stops it, after a last look. */
export function watchRefusals(
  { counters, packets }: Pick<PointService, 'counters' | 'packets'>,
  report: (line: string) => void,
): () => Promise<void> {
  let before = { refused: 0, lost: 0 };
  const look = async () => {
    const told = counters.report(await packets());
    const now = totals(told);
    const refused = now.refused - before.refused;
    const lost = now.lost - before.lost;
    before = now;
    const [last] = told.latest;
    if (refused > 0 && last !== undefined) {
      report(
        `${refused} lines of points were refused, the last because of ${last.message}: ${shown(last.line)}`,
      );
    }
    if (lost > 0) report(`${lost} UDP packets were lost; GET /api/ingest says where.`);
  };
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await look();
  };
}

function totals({ sources, packets }: IngestReport): { refused: number; lost: number } {
  const lost = Object.values(packets.lost).reduce((sum, count) => sum + count, packets.lostByKernel ?? 0);
  return { refused: sources.http.refusedLines + sources.udp.refusedLines, lost };
}

/** Quoted, so that nothing from outside can move the cursor of a terminal. */
function shown(line: string): string {
  return JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}...` : line);
}
