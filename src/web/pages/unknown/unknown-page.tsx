import { PageFrame } from '../../../platform/page/parts/page-frame.tsx';
import { Empty } from '../../../platform/page/parts/states-of-page.tsx';

/** Where an address leads nowhere. */
export function UnknownPage() {
  return (
    <PageFrame title="There is nothing here">
      <Empty>
        The address is mistyped, or what it named was removed. The first page lists everything there is.
      </Empty>
    </PageFrame>
  );
}
