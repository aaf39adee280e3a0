import { Empty, PageFrame } from '../../../platform/page/parts/page-frame.tsx';

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
