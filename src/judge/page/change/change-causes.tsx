import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Scroll } from '../../../platform/page/parts/display.tsx';
import { Show } from '../../../platform/page/parts/page-frame.tsx';
import { Day } from '../../../platform/page/parts/time.tsx';
import type { ChangeExplanation } from '../../app/changes/read-change.ts';
import { isPage } from '../../core/explain/commit-links.ts';
import type { Explanation, SourceChange } from '../../core/explain/explanation.ts';
import {
  causeRows,
  commitsLeftOut,
  leftOutText,
  restLines,
  sourceText,
} from '../../core/explain/explanation-text.ts';

/** What else changed where the series changed, ranked. It reads many runs, so it comes after the rest. */
export function WhatElse({ change }: { readonly change: FollowedChange }) {
  const loaded = useDocument(documentRef<ChangeExplanation>(['changes', change.id, 'explanation']));
  return (
    <section aria-labelledby="what-else">
      <h2 id="what-else">What else changed there</h2>
      {loaded.value === undefined && change.explanation && <p>{change.explanation}</p>}
      <Show loaded={loaded} height={80}>
        {(answer) =>
          'reason' in answer ? <p>{answer.reason}</p> : <Causes explanation={answer.explanation} />
        }
      </Show>
    </section>
  );
}

function Causes({ explanation }: { readonly explanation: Explanation }) {
  const { sentence, causes, sources, notes } = explanation;
  const rows = causeRows(causes);
  const left = leftOutText(causes);
  return (
    <>
      <p>{sentence}</p>
      {rows.length > 0 && (
        <Scroll label="What else changed">
          <table>
            <thead>
              <tr>
                <th scope="col">rank</th>
                <th scope="col">what</th>
                <th scope="col">before</th>
                <th scope="col">after</th>
                <th scope="col">fit</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ rank, name, before, after, fit }, place) => (
                <tr key={place}>
                  <td>{rank}</td>
                  <td>{name}</td>
                  <td class="path">{before}</td>
                  <td class="path">{after}</td>
                  <td>{fit}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {left !== undefined && <p class="quiet">{left}</p>}
      {sources.map((source) => (
        <Commits key={source.name} source={source} />
      ))}
      {[...restLines(explanation), ...notes].map((line, place) => (
        <p key={place} class="quiet">
          {line}
        </p>
      ))}
    </>
  );
}

/** The suspects: what lies between the two commits. */
function Commits({ source }: { readonly source: SourceChange }) {
  const { between } = source;
  if (between === undefined) return null;
  const left = commitsLeftOut(source);
  return (
    <>
      <h3>{sourceText(source)}</h3>
      <table>
        <tbody>
          {between.commits.map(({ hash, subject, author, at, link }) => (
            <tr key={hash}>
              <td>
                <code>{isPage(link) ? <a href={link}>{hash.slice(0, 12)}</a> : hash.slice(0, 12)}</code>
              </td>
              <td>
                <Day at={at} />
              </td>
              <td>{author}</td>
              <td>{subject}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <p class="quiet">
          and {isPage(between.link) ? <a href={between.link}>{left} more</a> : `${left} more`}
        </p>
      )}
    </>
  );
}
