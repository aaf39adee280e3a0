import { flatKeys } from '../../../core/jobs/flat-keys.ts';
import { HIDDEN_VALUE } from '../../../core/jobs/shown-job.ts';
import { isSecretKey } from '../../../core/model/secrets.ts';
import type { JsonObject } from '../../../core/text/json.ts';
import { valueText } from '../jobs/config/diff-looks.ts';

/** Keys and values, objects by their ways. */
export function ObjectTable({ object, nothing }: { readonly object: JsonObject; readonly nothing: string }) {
  const rows = [...flatKeys(object)];
  if (rows.length === 0) return <p class="quiet">{nothing}</p>;
  return (
    <div class="scroll">
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
    </div>
  );
}
