import { useState } from 'preact/hooks';
import { documentRef, theSource } from '../../platform/page/data/source.ts';
import { useDocument } from '../../platform/page/data/use-document.ts';
import { Fold } from '../../platform/page/parts/controls.tsx';
import { Command } from '../../platform/page/parts/display.tsx';
import { Empty, PageFrame, Show } from '../../platform/page/parts/page-frame.tsx';
import { useParameter } from '../../platform/page/router/address.ts';
import {
  type ApiDescription,
  type ApiParameter,
  addressOf,
  curlOf,
  type ListedOperation,
  operationsOf,
} from './api-operations.ts';

/** The API of this server, with a way to try it. */
export function ApiDocsPage() {
  const { isLive } = theSource();
  const loaded = useDocument(isLive ? documentRef<ApiDescription>(['openapi.json']) : undefined);
  if (!isLive) {
    return (
      <PageFrame title="API">
        <Empty>A static copy has no API. The server of the home has one: nightmark serve.</Empty>
      </PageFrame>
    );
  }
  return <Show loaded={loaded}>{(description) => <Described description={description} />}</Show>;
}

function Described({ description }: { readonly description: ApiDescription }) {
  const [search = '', setSearch] = useParameter('find');
  const groups = operationsOf(description, search);
  const shown = groups.reduce((sum, [, all]) => sum + all.length, 0);
  const all = operationsOf(description, '').reduce((sum, [, some]) => sum + some.length, 0);
  const lead = `${all} addresses for programs, version ${description.info.version}. ${description.info.description}`;
  return (
    <PageFrame title="API" lead={lead} json="openapi.json">
      <p class="quiet">
        Programs send a token, where one is needed, as <code>Authorization: Bearer TOKEN</code>; tokens are
        made by <code>nightmark token create NAME --scope read</code>. Answers have an <code>ETag</code>, and
        come compressed (gzip, br) to clients that accept it.
      </p>
      <p class="api-find">
        <label>
          Find{' '}
          <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>{' '}
        {shown < all && (
          <span class="quiet" role="status">
            {shown} of {all}{' '}
            <button type="button" class="small" onClick={() => setSearch(undefined)}>
              show all
            </button>
          </span>
        )}
      </p>
      {groups.map(([group, operations]) => (
        <section key={group} class="api-group">
          <h2>{group}</h2>
          {operations.map((operation) => (
            <Operation key={operation.id} operation={operation} />
          ))}
        </section>
      ))}
    </PageFrame>
  );
}

const NEEDS: Readonly<Record<string, string>> = {
  open: 'needs no token',
  read: 'reads',
  write: 'writes',
  admin: 'for admins',
};

/** One address: what it does, what it takes, what comes back. */
export function Operation({ operation }: { readonly operation: ListedOperation }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { method, path, summary, scope, parameters, media, body, answer } = operation;
  const address = addressOf(operation, values);
  return (
    <Fold
      name={operation.id}
      class="api-operation"
      summary={
        <>
          <code class="api-method">{method}</code> <code>{path}</code>{' '}
          <span class="api-summary">
            {summary} <span class="quiet">({NEEDS[scope] ?? scope})</span>
          </span>
        </>
      }
    >
      {parameters.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">parameter</th>
              <th scope="col">in</th>
              <th scope="col">value</th>
              <th scope="col">meaning</th>
            </tr>
          </thead>
          <tbody>
            {parameters.map((one) => (
              <Parameter
                key={one.name}
                of={operation.id}
                parameter={one}
                onValue={(value) => setValues({ ...values, [one.name]: value })}
              />
            ))}
          </tbody>
        </table>
      )}
      <p>
        <Command text={curlOf(operation, `${location.origin}${address}`)} />
      </p>
      <p class="quiet">answers {media.join(', ') || 'nothing'}</p>
      {body !== undefined && <Shape name="Body" schema={body} />}
      {answer !== undefined && <Shape name="Answer" schema={answer} />}
      {method === 'GET' && !media.includes('text/event-stream') && <TryIt address={address} />}
    </Fold>
  );
}

interface ParameterProps {
  readonly of: string;
  readonly parameter: ApiParameter;
  readonly onValue: (value: string) => void;
}

function Parameter({ of, parameter: { name, in: where, description }, onValue }: ParameterProps) {
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td>{where}</td>
      <td>
        <input
          type="text"
          aria-label={`${name} of ${of}`}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      </td>
      <td>{description ?? ''}</td>
    </tr>
  );
}

function Shape({ name, schema }: { readonly name: string; readonly schema: unknown }) {
  return (
    <details class="api-shape">
      <summary>{name}: its shape, as JSON Schema</summary>
      <pre tabIndex={0}>{JSON.stringify(schema, null, 2)}</pre>
    </details>
  );
}

/** More is not shown: the address itself has all of it. */
const MOST_SHOWN = 4_000;

interface ShownResponse {
  readonly status: string;
  readonly text: string;
  readonly length: number;
}

/** Sends the request, and shows the beginning of the response. */
export function TryIt({ address }: { readonly address: string }) {
  const [result, setResult] = useState<ShownResponse>();
  const isWhole = !address.includes('{');
  const send = async () => {
    const began = performance.now();
    try {
      const response = await fetch(address, { headers: { accept: 'application/json' } });
      const text = await response.text();
      const took = Math.round(performance.now() - began);
      const status = `${response.status} ${response.headers.get('content-type') ?? ''}, ${took} ms`;
      setResult({ status, text: readable(text).slice(0, MOST_SHOWN), length: text.length });
    } catch (error) {
      setResult({ status: `no answer: ${String(error)}`, text: '', length: 0 });
    }
  };
  return (
    <div class="api-try">
      <p>
        <button type="button" disabled={!isWhole} onClick={send}>
          Try it
        </button>{' '}
        {isWhole ? <a href={address}>{address}</a> : <span class="quiet">fill in the path first</span>}
      </p>
      {result && (
        <>
          <p role="status">
            {result.status}, {result.length} characters
            {result.length > MOST_SHOWN && `, of which the first ${MOST_SHOWN} are shown`}
          </p>
          {result.text !== '' && <pre tabIndex={0}>{result.text}</pre>}
        </>
      )}
    </div>
  );
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
