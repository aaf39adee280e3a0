import { formatDuration } from '../../../platform/core/text/numbers.ts';
import { Scroll } from '../../../platform/page/parts/display.tsx';
import { Age, Minute, useNow } from '../../../platform/page/parts/time.tsx';
import type { JobView } from '../../core/job-documents.ts';
import { spansOf } from './timeline-spans.ts';

/** When it waited and ran, and which workers it had. */
export function Timeline({ job }: { readonly job: JobView }) {
  const now = useNow(1_000);
  const spans = spansOf(job, now);
  const from = spans[0]?.from ?? 0;
  const whole = Math.max(1, (spans.at(-1)?.to ?? 0) - from);
  const { attempt, lost, retries, ranks, workers } = job;
  return (
    <>
      <h2>Timeline</h2>
      <div class="timeline">
        {spans.map((span) => (
          <div key={span.name} class="span-row">
            <span>
              {span.name} {formatDuration(roundly(span.to - span.from))}
              {span.isOpen && ' so far'}
            </span>
            <span class="track">
              <span
                class={`span ${span.name === 'ran' ? job.status.toLowerCase() : 'waited'}`}
                style={{
                  left: `${(100 * (span.from - from)) / whole}%`,
                  width: `${Math.max(0.5, (100 * (span.to - span.from)) / whole)}%`,
                }}
              />
            </span>
            <span class="quiet">
              from <Minute at={span.from} />
            </span>
          </div>
        ))}
      </div>
      {(attempt > 1 || lost > 0 || retries > 0) && (
        <p>
          Attempt {attempt}
          {retries > 0 && ` of at most ${1 + retries + lost}`}
          {lost > 0 && `; ${lost === 1 ? 'one worker was' : `${lost} workers were`} lost`}
        </p>
      )}
      {ranks.length > 0 && (
        <Scroll label="Workers">
          <table>
            <thead>
              <tr>
                <th scope="col">worker</th>
                <th scope="col">host</th>
                <th scope="col">process</th>
                <th scope="col">last heartbeat</th>
                <th scope="col">state</th>
              </tr>
            </thead>
            <tbody>
              {ranks.map(({ rank, host, pid, heartbeatAt, ref, isDone }) => (
                <tr key={rank}>
                  <th scope="row">
                    {rank} of {workers}
                  </th>
                  <td>{host}</td>
                  <td>
                    {pid}
                    {ref !== undefined && `, ${ref}`}
                  </td>
                  <td>
                    <Age at={heartbeatAt} />
                  </td>
                  <td>{isDone ? 'over' : job.status === 'RUNNING' ? 'runs' : ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}

/** Seconds are enough once there are any. */
function roundly(ms: number): number {
  return ms >= 1000 ? Math.round(ms / 1000) * 1000 : ms;
}
