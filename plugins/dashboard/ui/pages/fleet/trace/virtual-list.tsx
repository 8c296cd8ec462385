import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { windowOf } from '../model/trace-list.js';

/** An element that is in the document, once it is. */
interface Shown {
  readonly current: HTMLElement | null;
}

/** How far a list is scrolled, and how much of it is seen. */
interface Scroll {
  readonly top: number;
  readonly height: number;
}

/** Follows the scrolling and the size of an element. */
export function useScroll(element: Shown): Scroll {
  const [scroll, setScroll] = useState<Scroll>({ top: 0, height: 600 });
  useEffect(() => {
    const target = element.current;
    if (!target) return undefined;
    const update = () => setScroll({ top: target.scrollTop, height: target.clientHeight });
    const observer = new ResizeObserver(update);
    observer.observe(target);
    target.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      target.removeEventListener('scroll', update);
    };
  }, []);
  return scroll;
}

/** The rows of a long list that have to be in the document. */
interface RowsInSight<Row> {
  readonly rows: readonly Row[];
  /** Place of the first of them in the list. */
  readonly first: number;
  /** For the element around them: as much room as the others would take. */
  readonly style: { readonly paddingTop: string; readonly paddingBottom: string };
}

/** @param rowHeight - pixels, the same for every row */
export function rowsInSight<Row>(rows: readonly Row[], rowHeight: number, { top, height }: Scroll): RowsInSight<Row> {
  const { first, last } = windowOf(rows.length, rowHeight, top, height);
  return {
    rows: rows.slice(first, last),
    first,
    style: { paddingTop: `${first * rowHeight}px`, paddingBottom: `${(rows.length - last) * rowHeight}px` },
  };
}

/** Keeps what is in sight in its place when rows come in above it. */
export function useAnchor(element: Shown, added: number, rowHeight: number, version: unknown): void {
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    const target = element.current;
    // At the top the newest rows are what somebody wants to see.
    if (!isFirst.current && target && added !== 0 && target.scrollTop > 0) target.scrollTop += added * rowHeight;
    isFirst.current = false;
  }, [version]);
}
