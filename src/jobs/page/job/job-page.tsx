import { exitText } from '../../../executors/page/exit-text.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Fold } from '../../../platform/page/parts/controls.tsx';
import { PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { Age } from '../../../platform/page/parts/time.tsx';
import { goTo, useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { RouteParameters } from '../../../platform/page/router/match-route.ts';
import { shortId } from '../../core/job.ts';
import type { JobView } from '../../core/job-documents.ts';
import { ActionBar, useRights } from '../job-actions.tsx';
import { isOpenStatus, JobStatus, Progress } from '../list/job-status.tsx';
import { annotationText } from '../list/listed-jobs.ts';
import { SeriesOf } from '../series/series-grid.tsx';
import { FilesOf, Pictures } from '../tabs/files-tab.tsx';
import { LogPane } from '../tabs/logs-tab.tsx';
import { JobFacts, ObjectTable } from './job-facts.tsx';
import { MetricTable, TimingTable } from './job-tables.tsx';
import { Timeline } from './timeline.tsx';

/** Everything about one job. */
export function JobPage({ parameters: { id = '' } }: { readonly parameters: RouteParameters }) {
  const loaded = useDocument(documentRef<JobView>(['jobs', id], { topic: 'jobs' }));
  if (loaded.value === undefined)
    return (
      <PageFrame title={`Job ${id}`}>
        <Show loaded={loaded}>{() => null}</Show>
      </PageFrame>
    );
  return <Show loaded={loaded}>{(job) => <JobDetails job={job} reload={loaded.reload} />}</Show>;
}

function JobDetails({ job, reload }: { readonly job: JobView; readonly reload: () => void }) {
  const { id, name, status, annotations, images } = job;
  const rights = useRights();
  const [text = '', setText] = useParameter('find');
  const isOpen = isOpenStatus(status);
  const note = annotationText(annotations['note']);
  const others = Object.fromEntries(
    Object.entries(annotations).filter(([key]) => !['star', 'bug', 'note'].includes(key)),
  );
  return (
    <PageFrame
      title={`${name} ${shortId(id)}`}
      heading={
        <>
          {annotations['star'] === true && <span title="starred">★ </span>}
          {name} <span class="quiet">{shortId(id)}</span>
        </>
      }
      lead={<Lead job={job} />}
      json={`jobs/${id}`}
    >
      <ActionBar
        {...{ jobs: [job], rights, note, isOpen }}
        isStarred={annotations['star'] === true}
        isBug={annotations['bug'] === true}
        onDone={(action, done) => {
          const isGone =
            action === 'delete' && done.length > 0 && done.every(({ problem }) => problem === undefined);
          if (isGone) goTo('/jobs');
          else reload();
        }}
      />
      {note !== '' && <p class="calm message">{note}</p>}
      <Why job={job} />
      <Timeline job={job} />
      <h2>Series</h2>
      <SeriesOf query={{ id: [id] }} />
      {job.metrics.length > 0 && <MetricTable metrics={job.metrics} />}
      {Object.keys(images).length > 0 && (
        <>
          <h2>Images</h2>
          <Pictures id={id} images={images} />
        </>
      )}
      <h2>Configuration</h2>
      <ObjectTable label="Configuration" object={job.config} nothing="It has none." />
      {Object.keys(others).length > 0 && (
        <>
          <h2>Annotations</h2>
          <ObjectTable label="Annotations" object={others} nothing="" />
        </>
      )}
      <h2>Output</h2>
      <div class="controls">
        <label>
          find in the log
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      </div>
      <LogPane job={job} isOpen={isOpen} text={text} isOnPage />
      <h2>Files</h2>
      <FilesOf id={id} outputDir={job.outputDir} />
      {job.timings.length > 0 && (
        <>
          <h2>Timings</h2>
          <TimingTable timings={job.timings} />
        </>
      )}
      <JobFacts job={job} />
    </PageFrame>
  );
}

/** How it is, in a sentence. */
function Lead({ job }: { readonly job: JobView }) {
  const { status, exit, project, experiment } = job;
  const end = exitText(exit);
  return (
    <>
      <JobStatus status={status} />
      {end !== '' && `, ${end}`}
      {(status === 'RUNNING' || status === 'UNRESPONSIVE') && (
        <>
          {' '}
          <Progress part={job.progress} />
        </>
      )}
      , created <Age at={job.createdAt} /> by {job.user} in{' '}
      <Link to={`/jobs?search=${encodeURIComponent(`where:experiment == ${JSON.stringify(experiment)}`)}`}>
        {experiment}
      </Link>
      , project <Link to={`/jobs?project=${encodeURIComponent(project)}`}>{project}</Link>
    </>
  );
}

/** Reason, exception and traceback: the first question about a failed job. */
function Why({ job: { reason, exception, exceptionWorker, traceback } }: { readonly job: JobView }) {
  return (
    <>
      {reason !== undefined && <p class="message">{reason}</p>}
      {exception !== undefined && (
        <p class="problem message">
          <strong>{exception}</strong>
          {exceptionWorker !== undefined && <span class="quiet"> in worker {exceptionWorker}</span>}
        </p>
      )}
      {traceback !== undefined && (
        <Fold name="traceback" isOpenFirst summary="Traceback">
          <pre class="log" tabIndex={0}>
            {traceback}
          </pre>
        </Fold>
      )}
    </>
  );
}
