import type { ComponentChildren } from 'preact';

/** Something wide, such as a table, that scrolls for itself: also by keys, and with a name for people who hear it. */
export function Scroll({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
