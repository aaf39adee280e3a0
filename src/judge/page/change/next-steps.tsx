import { shellQuote } from '../../../platform/core/text/shell.ts';
import { Command } from '../../../platform/page/parts/display.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { ChangeDocument } from '../../app/changes/read-change.ts';

/** Commands that find out more, to be typed in the folder of the home. */
export function NextSteps({ found: { change, neighbours } }: { readonly found: ChangeDocument }) {
  const { id, series } = change;
  const between = 'reason' in neighbours ? undefined : neighbours;
  const metric = series.kind === 'value' ? ` --metric ${shellQuote(series.path.join('/'))}` : '';
  return (
    <section aria-labelledby="next">
      <h2 id="next">How to go on</h2>
      {between ? (
        <>
          <p>
            It appeared between <code>{between.before}</code> and <code>{between.after}</code> of{' '}
            {between.source}.{' '}
            <Link to={`/compare/${encodeURIComponent(between.before)}..${encodeURIComponent(between.after)}`}>
              Compare the two
            </Link>
            . In the folder of the home:
          </p>
          <ul class="commands">
            <li>
              <Command text={`nightmark changes confirm ${id}`} /> measures both at the same moment
            </li>
            <li>
              <Command
                text={`nightmark bisect ${shellQuote(between.experiment)} --good ${shellQuote(between.before)} --bad ${shellQuote(between.after)}${metric}`}
              />{' '}
              finds the commit
            </li>
            <li>
              <Command text={`nightmark changes show ${id}`} /> says all of this in a terminal
            </li>
          </ul>
        </>
      ) : (
        <>
          <p>{'reason' in neighbours && neighbours.reason} In the folder of the home:</p>
          <ul class="commands">
            <li>
              <Command text={`nightmark changes show ${id}`} /> says all of this in a terminal
            </li>
          </ul>
        </>
      )}
    </section>
  );
}
