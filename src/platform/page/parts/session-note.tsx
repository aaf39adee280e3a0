import { useSession } from '../data/session.ts';

/** Whose token it is that opened the page, and that nothing can be changed, where that is so. */
export function SessionNote() {
  const session = useSession();
  if (session === undefined) return null;
  return (
    <>
      {session.isReadOnly && <span>This server is read-only.</span>}{' '}
      {session.name !== undefined && (
        <form method="post" action="/logout" class="inline">
          {session.name}{' '}
          <button type="submit" class="small">
            log out
          </button>
        </form>
      )}
    </>
  );
}
