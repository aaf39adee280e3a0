import type { ComponentChildren } from 'preact';

/** Names and what they are. */
export function Facts({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <table class="facts">
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
