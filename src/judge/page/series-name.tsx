import { type Absentee, seriesText } from '../../home/core/changes/change.ts';
import { Link } from '../../platform/page/router/link.tsx';
import { pathText } from './change.tsx';

/** The name of what is judged or missing; that of an experiment leads to its page. */
export function SeriesName({ series }: { readonly series: Absentee }) {
  switch (series.kind) {
    case 'value':
      return (
        <>
          <Link to={`/experiments/${encodeURIComponent(series.experiment)}`}>{series.experiment}</Link>{' '}
          <span class="path">{pathText(series.path)}</span>
        </>
      );
    case 'experiment':
      return <Link to={`/experiments/${encodeURIComponent(series.experiment)}`}>{series.experiment}</Link>;
    case 'workload':
      return <span class="path">workload {series.workload}</span>;
    default:
      return <span class="path">{seriesText(series)}</span>;
  }
}
