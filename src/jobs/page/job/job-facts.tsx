import type { ComponentChildren } from 'preact';
import { isSecretKey } from '../../../platform/core/secrets.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { Fold } from '../../../platform/page/parts/controls.tsx';
import { Command, Scroll } from '../../../platform/page/parts/display.tsx';
import { localText, utcText } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import { flatKeys } from '../../core/dotted-keys.ts';
import { programText, shortId } from '../../core/job.ts';
import type { JobView } from '../../core/job-documents.ts';
import { HIDDEN_VALUE } from '../../core/shown-job.ts';
import { valueText } from '../tabs/cell-styles.ts';

/** What it ran, with what, and how to have it again. */
export function JobFacts({ job }: { readonly job: JobView }) {
  const { git, environment } = job;
  return (
    <>
      <h2>To repeat it</h2>
      <p>
        <Command text={`nightmark job rerun ${shortId(job.id)}`} />
      </p>
      <Scroll label="Facts of the job">
        <table class="facts">
          <tbody>
            {factsOf(job).map(([key, value]) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {git?.diff !== undefined && git.diff !== '' && (
        <Fold name="diff" summary="What was changed since the commit">
          <pre class="log" tabIndex={0}>
            {git.diff}
          </pre>
        </Fold>
      )}
      <h2>Environment</h2>
      <ObjectTable
        label="Environment"
        object={environment}
        nothing="It reported nothing about where it ran."
      />
    </>
  );
}

type Fact = readonly [string, ComponentChildren];

function factsOf(job: JobView): readonly Fact[] {
  const { program, code, git, resources, place, after, rerunOf, envNames } = job;
  const facts: readonly Fact[] = [
    ['id', <code key="id">{job.id}</code>],
    [program.type, <code key="program">{programText(program)}</code>],
    ['code', code && <code>{code.type === 'path' ? code.path : `${code.name} ${code.hash}`}</code>],
    ['commit', git && <GitText git={git} />],
    ['executor', `${job.executor}, ${counted(job.workers, 'worker')}, priority ${job.priority}`],
    ['resources', objectText(resources)],
    ['place', objectText(place)],
    ['created', <Exact key="created" at={job.createdAt} />],
    ['started', job.startedAt !== undefined && <Exact at={job.startedAt} />],
    ['ended', job.endedAt !== undefined && <Exact at={job.endedAt} />],
    ['not before', job.notBefore !== undefined && <Exact at={job.notBefore} />],
    ['host', job.host],
    ['after', after.length > 0 && after.map((id) => <JobLink key={id} id={id} />)],
    ['repeats', rerunOf !== undefined && <JobLink id={rerunOf} />],
    ['sweep', job.sweep !== undefined && <SweepLink sweep={job.sweep} />],
    ['variables', envNames.length > 0 && `${envNames.join(', ')} (values may be secrets, and are not shown)`],
  ];
  return facts.filter(([, value]) => value !== undefined && value !== false && value !== '');
}

function GitText({ git }: { readonly git: NonNullable<JobView['git']> }) {
  return (
    <>
      <code>{git.commit}</code>
      {git.branch !== undefined && ` on ${git.branch}`}
      {git.isDirty && ', with changes'}, by {git.authorName}: {git.message.split('\n', 1)[0]}
      {git.remote !== undefined && <span class="quiet"> {git.remote}</span>}
    </>
  );
}

function Exact({ at }: { readonly at: number }) {
  return <span title={utcText(at)}>{localText(at)}</span>;
}

function JobLink({ id }: { readonly id: string }) {
  return (
    <>
      <Link to={`/jobs/${id}`}>{shortId(id)}</Link>{' '}
    </>
  );
}

function SweepLink({ sweep }: { readonly sweep: string }) {
  const search = `where:sweep == ${JSON.stringify(sweep)}`;
  return <Link to={`/jobs?search=${encodeURIComponent(search)}&jobs=all`}>{sweep}, all its jobs</Link>;
}

function objectText(object: object): string {
  return Object.keys(object).length === 0 ? '' : JSON.stringify(object);
}

interface ObjectTableProps {
  readonly label: string;
  readonly object: JsonObject;
  /** Text for an empty object. */
  readonly nothing: string;
}

/** Keys and values, objects by their ways. */
export function ObjectTable({ label, object, nothing }: ObjectTableProps) {
  const rows = [...flatKeys(object)];
  if (rows.length === 0) return <p class="quiet">{nothing}</p>;
  return (
    <Scroll label={label}>
      <table class="facts">
        <tbody>
          {rows.map(([key, value]) => (
            <tr key={key}>
              <th scope="row">{key}</th>
              <td>
                {typeof value === 'boolean' ? (
                  <span role="img" aria-label={String(value)}>
                    {valueText(value)}
                  </span>
                ) : typeof value === 'string' && isSecretKey(key.slice(key.lastIndexOf('.') + 1)) ? (
                  HIDDEN_VALUE
                ) : (
                  valueText(value)
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
