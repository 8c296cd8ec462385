/** A part of a page: what stands below one heading, up to the next one of any level. */
export interface PagePart {
  readonly level: number;
  readonly title: string;
  /** As in links: `soft-delete`. */
  readonly anchor: string;
  /** Of the heading, from 1. */
  readonly line: number;
  /** Titles of the headings above it, outermost first. */
  readonly trail: readonly string[];
  readonly body: string;
}

/** The parts of a Markdown page, in their order. Lines within fences are no headings. */
export function partsOf(markdown: string): readonly PagePart[] {
  const parts: (Omit<PagePart, 'body'> & { readonly lines: string[] })[] = [];
  const open: { level: number; title: string }[] = [];
  const anchors = new Map<string, number>();
  let fence: string | undefined;
  for (const [at, line] of markdown.split('\n').entries()) {
    fence = fenceBehind(line, fence);
    const heading = fence === undefined ? /^(#{1,6}) +(.*\S)\s*$/.exec(line) : null;
    if (!heading) {
      parts.at(-1)?.lines.push(line);
      continue;
    }
    const level = (heading[1] as string).length;
    const title = plainTitle(heading[2] as string);
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    const anchor = anchorOf(title, anchors);
    parts.push({ level, title, anchor, line: at + 1, trail: open.map((each) => each.title), lines: [] });
    open.push({ level, title });
  }
  return parts.map(({ lines, ...part }) => ({ ...part, body: lines.join('\n').trim() }));
}

/** The text below a heading of a page, including its subheadings; undefined when there is no such heading. */
export function sectionText(markdown: string, anchor: string): string | undefined {
  const parts = partsOf(markdown);
  const at = parts.findIndex((part) => part.anchor === anchor);
  const part = parts[at];
  if (!part) return undefined;
  const next = parts.slice(at + 1).find(({ level }) => level <= part.level);
  const lines = markdown.split('\n').slice(part.line - 1, next ? next.line - 1 : undefined);
  return `${lines.join('\n').trim()}\n`;
}

// The fence that is open after a line; a longer fence may contain shorter ones.
function fenceBehind(line: string, fence: string | undefined): string | undefined {
  const [mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
  if (mark === undefined) return fence;
  if (fence === undefined) return mark.trim();
  return mark.trim().startsWith(fence) && line.trim() === mark.trim() ? undefined : fence;
}

const plainTitle = (text: string): string => text.replaceAll('`', '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');

/** The anchor of a heading as GitHub makes it; a second one of the same words gets a number. */
function anchorOf(title: string, seen: Map<string, number>): string {
  const anchor = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  const times = seen.get(anchor) ?? 0;
  seen.set(anchor, times + 1);
  return times === 0 ? anchor : `${anchor}-${times}`;
}

/** A paragraph, a list, a table or a fence, verbatim. */
export interface Block {
  readonly kind: 'text' | 'code' | 'table' | 'list';
  readonly text: string;
}

/** The blocks of the text below a heading. */
export function blocksOf(body: string): readonly Block[] {
  const blocks: { kind: Block['kind']; lines: string[] }[] = [];
  let fence: string | undefined;
  let ended = true;
  for (const line of body.split('\n')) {
    const before = fence;
    fence = fenceBehind(line, fence);
    const inside = before !== undefined || fence !== undefined;
    if (!inside && line.trim() === '') {
      ended = true;
      continue;
    }
    const kind = inside ? 'code' : line.startsWith('|') ? 'table' : /^(- |\d+\. |\* )/.test(line) ? 'list' : 'text';
    const last = blocks.at(-1);
    // A fence is a block of its own; an indented line continues the list above it.
    const goesOn = last && !ended && (last.kind === kind || (last.kind === 'list' && kind === 'text'));
    if (goesOn && !(kind === 'code' && before === undefined)) last.lines.push(line);
    else if (last?.kind === 'list' && ended && !inside && /^\s/.test(line)) last.lines.push('', line);
    else blocks.push({ kind, lines: [line] });
    ended = kind === 'code' && fence === undefined;
  }
  return blocks.map(({ kind, lines }) => ({ kind, text: lines.join('\n') }));
}
