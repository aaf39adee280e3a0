import { Fragment, type RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatNumber } from '../../../platform/core/text/numbers.ts';
import { type LogBlock, type LogLine, type LogSegment, placeOf } from './log-segment.ts';

interface LogTextProps {
  readonly segments: readonly LogSegment[];
  readonly size: number;
  /** The line that the address names. */
  readonly line: string | undefined;
  readonly find: string;
  /** Where nothing is named, the reader begins at the end: there a failure is explained, and there more comes. */
  readonly beginsAtEnd: boolean;
  readonly onLine: (place: string) => void;
  /** Absent where nothing more can be fetched. */
  readonly onGap?: (from: number) => void;
}

/** The lines in a window of their own, which stays at the end only as long as the reader is there. */
export function LogText(props: LogTextProps) {
  const { segments, size, line, find, beginsAtEnd, onLine, onGap } = props;
  const scroller = useRef<HTMLElement>(null);
  const isAtEnd = useRef(beginsAtEnd && line === undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [segments]);
  const isThere = segments.length > 0;
  useLayoutEffect(() => {
    const named = line === undefined ? undefined : lineElement(scroller.current, line);
    if (!named) return;
    isAtEnd.current = false;
    named.scrollIntoView({ block: 'center' });
  }, [line, isThere, segments.length]);
  const onScroll = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget;
    isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
  };
  const onClick = (event: MouseEvent) => {
    const row = (event.target as Element).closest('.log-line');
    const place = row?.getAttribute('data-place');
    if (row && place && event.clientX < row.getBoundingClientRect().left + GUTTER) onLine(place);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys Enter and Shift+Enter of the search name lines, too.
    <section
      class="log log-text"
      ref={scroller}
      tabIndex={0}
      aria-label="Log"
      onScroll={onScroll}
      onClick={onClick}
    >
      {segments.map((segment, index) => (
        <Fragment key={segment.from}>
          <Gap from={segments[index - 1]?.next ?? 0} to={segment.from} {...(onGap && { onGap })} />
          {segment.blocks.map((block) => (
            <Block key={block.first} segment={segment} block={block} line={line} find={find} />
          ))}
          {segment.rest && (
            <Line
              line={segment.rest}
              place={placeOf(segment, segment.lineCount, segment.rest)}
              isNamed={placeOf(segment, segment.lineCount, segment.rest) === line}
              isFound={isFound(segment.rest, find)}
            />
          )}
        </Fragment>
      ))}
      <Gap from={segments.at(-1)?.next ?? 0} to={size} {...(onGap && { onGap })} />
    </section>
  );
}

/** Width of the numbers of lines, in pixels: see log.css. */
const GUTTER = 56;
const LINE_PIXELS = 17.6;

interface BlockProps {
  readonly segment: LogSegment;
  readonly block: LogBlock;
  readonly line: string | undefined;
  readonly find: string;
}

/**
 * Drawn anew only if its lines, or what is marked in them, are others. Far from what is seen it is one piece of text,
 * which the browser searches and copies as well: a hundred thousand lines cost no more than their text.
 */
function Block({ segment, block, line, find }: BlockProps) {
  const host = useRef<HTMLDivElement>(null);
  const isNear = useNearness(host);
  const places = useMemo(
    () => block.lines.map((one, index) => placeOf(segment, block.first + index, one)),
    [block, segment.from],
  );
  const named = line !== undefined && places.includes(line) ? line : undefined;
  const isDrawn = isNear || named !== undefined;
  return useMemo(
    () => (
      <div
        class="log-block"
        ref={host}
        style={{ containIntrinsicSize: `auto ${block.lines.length * LINE_PIXELS}px` }}
      >
        {isDrawn
          ? block.lines.map((one, index) => (
              <Line
                key={one.at}
                line={one}
                place={places[index] ?? ''}
                isNamed={places[index] === named}
                isFound={isFound(one, find)}
              />
            ))
          : block.lines.map(({ text }) => `${text}\n`).join('')}
      </div>
    ),
    [block, places, named, isDrawn, isDrawn ? find : ''],
  );
}

/** Whether an element is in sight, or will be soon. */
function useNearness(host: RefObject<HTMLElement>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { root: element.closest('.log-text'), rootMargin: '2000px 0px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return isNear;
}

interface LineProps {
  readonly line: LogLine;
  readonly place: string;
  readonly isNamed: boolean;
  readonly isFound: boolean;
}

function Line({ line: { text, parts }, place, isNamed, isFound: isMarked }: LineProps) {
  const looks = `log-line${isMarked ? ' found' : ''}${isNamed ? ' named' : ''}`;
  return (
    <div class={looks} data-place={place} data-n={place.startsWith('b') ? '·' : place}>
      {parts?.map((part, index) => (
        <span key={index} class={part.classes}>
          {part.text}
        </span>
      )) ?? text}
      {'\n'}
    </div>
  );
}

function Gap({
  from,
  to,
  onGap,
}: {
  readonly from: number;
  readonly to: number;
  readonly onGap?: (from: number) => void;
}) {
  if (to <= from) return null;
  return (
    <p class="log-gap">
      {formatNumber(to - from, 'B')} are not shown here{' '}
      {onGap && (
        <button type="button" class="small" onClick={() => onGap(from)}>
          Show what follows
        </button>
      )}
    </p>
  );
}

function isFound({ text }: LogLine, find: string): boolean {
  return find !== '' && text.toLowerCase().includes(find.toLowerCase());
}

function lineElement(scroller: HTMLElement | null, place: string): Element | undefined {
  return scroller?.querySelector(`[data-place="${CSS.escape(place)}"]`) ?? undefined;
}
