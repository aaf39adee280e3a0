import { isSecretKey } from '../../../platform/core/secrets.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { Scroll } from '../../../platform/page/parts/scroll.tsx';
import { flatKeys } from '../../core/dotted-keys.ts';
import { HIDDEN_VALUE } from '../../core/shown-job.ts';
import { valueText } from '../config/diff-looks.ts';

interface ObjectTableProps {
  readonly label: string;
  readonly object: JsonObject;
  /** What is said of an empty one. */
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
