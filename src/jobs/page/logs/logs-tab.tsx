import { useParameter } from '../../../platform/page/router/address.ts';
import { isOpenStatus } from '../list/job-status.tsx';
import type { TabProps } from '../tabs.tsx';
import { useMost } from '../use-most.ts';
import { LogPane } from './log-pane.tsx';

const AT_ONCE = 8;

/** What the chosen jobs print, side by side. */
export function LogsTab({ jobs }: TabProps) {
  const [text = '', setText] = useParameter('find');
  const [most, showMore] = useMost(AT_ONCE);
  return (
    <>
      <div class="controls">
        <label>
          find in the logs
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      </div>
      <div class="log-panes">
        {jobs.slice(0, most).map((job) => (
          <LogPane key={job.id} job={job} isOpen={isOpenStatus(job.status)} text={text} />
        ))}
      </div>
      {jobs.length > most && (
        <p class="quiet">
          {jobs.length - most} more are not shown.{' '}
          <button type="button" class="small" onClick={showMore}>
            show {Math.min(AT_ONCE, jobs.length - most)} more
          </button>
        </p>
      )}
    </>
  );
}
