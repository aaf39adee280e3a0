import { nameText, sidesText } from '../../../judge/core/explain/explanation-text.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { Scroll } from '../../../platform/page/parts/display.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { RunView } from '../../app/read-run.ts';

/** Machine and commits against the run of the same kind before: only what differs, the rest counted. */
export function SinceBeforeSection({ view: { run, sinceBefore } }: { readonly view: RunView }) {
  if (sinceBefore === undefined) return null;
  const { facts, unchanged, unknown, added, removed, run: before } = sinceBefore;
  const isSame = facts.length + added.length + removed.length === 0;
  return (
    <section aria-labelledby="since-before">
      <h2 id="since-before">
        What differs from <Link to={`/runs/${encodeURIComponent(before.id)}`}>{before.label}</Link>
      </h2>
      {isSame && (
        <p class="calm">
          Nothing that is known: the same machine, commits and tasks as in the {run.kind} before.
        </p>
      )}
      {facts.length > 0 && (
        <Scroll label="Facts that differ">
          <table class="facts">
            <thead>
              <tr>
                <th scope="col">fact</th>
                <th scope="col">before</th>
                <th scope="col">in this run</th>
              </tr>
            </thead>
            <tbody>
              {facts.map((fact) => {
                const { before: old, after } = sidesText(fact);
                return (
                  <tr key={`${fact.group} ${fact.name}`}>
                    <th scope="row">{nameText(fact)}</th>
                    <td>{old}</td>
                    <td>{after}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Scroll>
      )}
      <Names title="New tasks" names={added} />
      <Names title="Tasks that are gone" names={removed} />
      <p class="quiet">
        {counted(unchanged, 'fact')} the same
        {unknown > 0 && `, ${counted(unknown, 'fact')} known of one of both only`}.
      </p>
    </section>
  );
}

const NAMES = 20;

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p>
      {title}: <bdi>{names.slice(0, NAMES).join(', ')}</bdi>
      {names.length > NAMES && ` and ${names.length - NAMES} more`}
    </p>
  );
}
