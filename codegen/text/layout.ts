import { textWidth } from './text-width.js';
import { LINE_WIDTH } from './written-value.js';

/**
 * Text with possible line breaks, after Wadler's "A prettier printer", like Prettier's documents
 * (https://github.com/prettier/prettier/blob/main/commands.md).
 */
export type Layout =
  | string
  | readonly Layout[]
  /** On one line if it fits. */
  | { readonly group: Layout }
  | { readonly indent: Layout }
  /** A line break, or this text on one line. */
  | { readonly line: string }
  /** Only if the surrounding group is broken. */
  | { readonly broken: Layout };

export const LINE: Layout = { line: ' ' };
export const SOFT_LINE: Layout = { line: '' };

export function joined(parts: readonly Layout[], between: Layout): Layout {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [between, part]));
}

/** @param after - number of characters that follow on the last line */
export function laidOut(
  layout: Layout,
  place: { readonly indent: number; readonly column: number; readonly after: number },
): string {
  const out = new Output(place.column);
  write([layout, ' '.repeat(place.after)], place.indent, true, out, []);
  return out.text.slice(0, out.text.length - place.after);
}

class Output {
  text = '';
  constructor(public column: number) {}

  add(text: string): void {
    this.text += text;
    this.column += textWidth(text);
  }

  endLine(indent: number): void {
    this.text = `${this.text.replace(/ +$/, '')}\n${' '.repeat(indent)}`;
    this.column = indent;
  }
}

// The text after a group, up to the next possible line break, has to fit on the line too.
function write(layout: Layout, indent: number, isBroken: boolean, out: Output, following: readonly Layout[]): void {
  if (typeof layout === 'string') out.add(layout);
  else if (isList(layout)) {
    for (const [index, part] of layout.entries())
      write(part, indent, isBroken, out, [...layout.slice(index + 1), ...following]);
  } else if ('indent' in layout) write(layout.indent, indent + 2, isBroken, out, following);
  else if ('broken' in layout) {
    if (isBroken) write(layout.broken, indent, true, out, following);
  } else if ('line' in layout) {
    if (isBroken) out.endLine(indent);
    else out.add(layout.line);
  } else
    write(layout.group, indent, isBroken && !fits(layout.group, following, LINE_WIDTH - out.column), out, following);
}

function fits(group: Layout, following: readonly Layout[], room: number): boolean {
  const rest = firstWidth(following);
  return flatWidth(group) + rest <= room;
}

function flatWidth(layout: Layout): number {
  if (typeof layout === 'string') return textWidth(layout);
  if (isList(layout)) return layout.reduce<number>((sum, part) => sum + flatWidth(part), 0);
  if ('group' in layout) return flatWidth(layout.group);
  if ('indent' in layout) return flatWidth(layout.indent);
  return 'line' in layout ? layout.line.length : 0;
}

// Width of the layouts up to the first possible line break.
function firstWidth(layouts: readonly Layout[]): number {
  let width = 0;
  const visit = (layout: Layout): boolean => {
    if (typeof layout === 'string') width += textWidth(layout);
    else if (isList(layout)) return layout.every(visit);
    else if ('line' in layout) return false;
    else if ('group' in layout) width += flatWidth(layout.group);
    else return visit('indent' in layout ? layout.indent : layout.broken);
    return true;
  };
  layouts.every(visit);
  return width;
}

const isList = (layout: Layout): layout is readonly Layout[] => Array.isArray(layout);
