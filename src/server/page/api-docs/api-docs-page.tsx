import { documentRef, theSource } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Empty, PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { useParameter } from '../../../platform/page/router/address.ts';
import { Operation } from './operation.tsx';
import { type ApiDescription, operationsOf } from './operations.ts';

/** Everything that programs may ask of this server, with a way to try it. */
export function ApiDocsPage() {
  const { isLive } = theSource();
  const loaded = useDocument(isLive ? documentRef<ApiDescription>(['openapi.json']) : undefined);
  if (!isLive) {
    return (
      <PageFrame title="API">
        <Empty>A static copy answers no programs. The server of the home does: nightmark serve.</Empty>
      </PageFrame>
    );
  }
  return <Show loaded={loaded}>{(description) => <Described description={description} />}</Show>;
}

function Described({ description }: { readonly description: ApiDescription }) {
  const [words = '', setWords] = useParameter('find');
  const groups = operationsOf(description, words);
  const shown = groups.reduce((sum, [, all]) => sum + all.length, 0);
  const all = operationsOf(description, '').reduce((sum, [, some]) => sum + some.length, 0);
  const lead = `${all} addresses for programs, version ${description.info.version}. ${description.info.description}`;
  return (
    <PageFrame title="API" lead={lead} json="openapi.json">
      <p class="quiet">
        Programs send a token, where one is needed, as <code>Authorization: Bearer TOKEN</code>; tokens are
        made by <code>nightmark token create NAME --scope read</code>. Answers have an <code>ETag</code>, and
        come packed (gzip, br) to whoever takes them so.
      </p>
      <p class="api-find">
        <label>
          Find <input type="search" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
        </label>{' '}
        {shown < all && (
          <span class="quiet" role="status">
            {shown} of {all}{' '}
            <button type="button" class="small" onClick={() => setWords(undefined)}>
              show all
            </button>
          </span>
        )}
      </p>
      {groups.map(([group, operations]) => (
        <section key={group} class="api-group">
          <h2>{group}</h2>
          {operations.map((operation) => (
            <Operation key={operation.id} operation={operation} />
          ))}
        </section>
      ))}
    </PageFrame>
  );
}
