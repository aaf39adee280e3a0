import { useEffect, useState } from 'preact/hooks';
import { Age } from '../../platform/page/parts/time.tsx';
import { type SiteStatus, STATUS_PATH } from '../core/site/site-map.ts';
import { loadDocument } from './file-source.ts';

/** How old a static site is, and whether something broke since. */
export function SiteNote() {
  const [status, setStatus] = useState<SiteStatus>();
  useEffect(() => {
    void loadDocument(`${STATUS_PATH}?${Date.now()}`, STATUS_PATH).then((found) =>
      setStatus(found as SiteStatus),
    );
  }, []);
  if (!status) return null;
  const { dataAt, publishedAt, outcome, leftOut } = status;
  return (
    <div class={outcome.state === 'broken' ? 'site-note broken' : 'site-note'} role="status">
      A copy of {status.project}, published <Age at={publishedAt} />
      {dataAt !== undefined && (
        <>
          , with results until <Age at={dataAt} />
        </>
      )}
      .{outcome.state === 'broken' && <strong> Nothing newer is shown: {outcome.reason}</strong>}
      {leftOut.old > 0 && ` ${leftOut.old} older files are not part of it.`}
    </div>
  );
}
