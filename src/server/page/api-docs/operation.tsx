import { useState } from 'preact/hooks';
import { Fold } from '../../../platform/page/parts/controls.tsx';
import { Command } from '../../../platform/page/parts/display.tsx';
import { type ApiParameter, addressOf, curlOf, type ListedOperation } from './operations.ts';
import { TryIt } from './try-it.tsx';

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
