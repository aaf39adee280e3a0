import { counted, formatNumber } from '../../../platform/core/text/numbers.ts';
import { Fold } from '../../../platform/page/parts/controls.tsx';
import { Scroll } from '../../../platform/page/parts/display.tsx';
import { Day } from '../../../platform/page/parts/time.tsx';
import type { Differences } from '../../app/compare/compare-view.ts';
import type { Difference } from '../../core/compare/differing-facts.ts';
import type { FactValue, SourceChange } from '../../core/explain/explanation.ts';
import { listText, shortText } from '../../core/explain/explanation-text.ts';

/** What else is not the same: sources, versions, machine; only what differs, the rest counted. */
export function DifferenceSection({ differences }: { readonly differences: Differences }) {
  const { differing, equal, oneSided, sources, notes } = differences;
  const rest = [
    `${counted(equal, 'recorded fact')} ${equal === 1 ? 'is' : 'are'} the same`,
    ...(oneSided > 0 ? [`${oneSided} recorded on one side only`] : []),
  ].join(', ');
  return (
    <section aria-labelledby="differences">
      <h2 id="differences">What else differs</h2>
      {differing.length === 0 ? (
        <p class="calm">Nothing that is recorded differs: sources, versions and machine are the same.</p>
      ) : (
        <Scroll label="What differs">
          <table class="differences">
            <thead>
              <tr>
                <th scope="col">what</th>
                <th scope="col">base</th>
                <th scope="col">head</th>
              </tr>
            </thead>
            <tbody>
              {differing.map((one) => (
                <DifferenceRow
                  key={`${one.group} ${one.name} ${one.experiments[0] ?? ''}`}
                  difference={one}
                />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {sources.map((source) => (
        <SourceCommits key={source.name} source={source} />
      ))}
      <p class="quiet">
        {rest}. {notes.join(' ')}
      </p>
    </section>
  );
}

function DifferenceRow({ difference }: { readonly difference: Difference }) {
  const { group, name, base, head, unit, experiments } = difference;
  return (
    <tr>
      <th scope="row">
        {group === 'source' ? `commit of ${shortText(name)}` : shortText(name)}
        {experiments.length > 0 && (
          <span class="quiet"> ({listText(experiments.map((it) => shortText(it)))})</span>
        )}
      </th>
      <td>
        <Values values={base} unit={unit} />
      </td>
      <td>
        <Values values={head} unit={unit} />
      </td>
    </tr>
  );
}

function Values({
  values,
  unit,
}: {
  readonly values: readonly FactValue[];
  readonly unit: string | undefined;
}) {
  const text = (value: FactValue) =>
    typeof value === 'number' && unit !== undefined ? formatNumber(value, unit) : shortText(String(value));
  return (
    <span class="path" title={values.map(String).join('\n').slice(0, 1000)}>
      {listText(values.map(text), 4)}
    </span>
  );
}

function SourceCommits({ source: { name, between } }: { readonly source: SourceChange }) {
  if (between === undefined) return null;
  const { added, removed, commits, link } = between;
  const count = added > 0 ? counted(added, 'commit') : `${counted(removed, 'commit')} back`;
  const left = Math.max(added, removed) - commits.length;
  return (
    <Fold
      name={`commits ${name}`}
      summary={
        <>
          {shortText(name)}: {count}
          {added > 0 && removed > 0 && `, and ${removed} that only the base has`}
        </>
      }
    >
      <ul>
        {commits.map(({ hash, subject, author, at, link: page }) => (
          <li key={hash}>
            {page === undefined ? <code>{hash.slice(0, 9)}</code> : <a href={page}>{hash.slice(0, 9)}</a>}{' '}
            {shortText(subject, 120)}{' '}
            <span class="quiet">
              {shortText(author, 40)}, <Day at={at} />
            </span>
          </li>
        ))}
        {left > 0 && <li class="quiet">{counted(left, 'more commit')}</li>}
      </ul>
      {link !== undefined && <a href={link}>all of them where the source is kept</a>}
    </Fold>
  );
}
