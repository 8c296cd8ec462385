import { type Block, blocksOf } from './markdown-page.js';
import { tokensOf } from './tokens.js';

/** Most tokens of a section: the first result stands whole in an answer, with room for further ones. */
export const MOST_OF_A_SECTION = 380;

/**
 * Splits the text below a heading into portions that fit into an answer. Paragraphs stay whole, tables are split between rows, code stays
 * with the sentence above it and is never split.
 *
 * @param most - tokens of a portion
 */
export function chunksOf(body: string, most: number = MOST_OF_A_SECTION): readonly string[] {
  const chunks: string[] = [];
  for (const text of unitsOf(blocksOf(body), most)) {
    const together = chunks.length > 0 ? `${chunks.at(-1)}\n\n${text}` : text;
    if (chunks.length > 0 && tokensOf(together) <= most) chunks[chunks.length - 1] = together;
    else chunks.push(text);
  }
  return chunks;
}

function unitsOf(blocks: readonly Block[], most: number): readonly string[] {
  const units: string[] = [];
  let leading: string | undefined;
  for (const block of blocks.flatMap((each) => portions(each, most))) {
    if (leading !== undefined && block.kind !== 'text') {
      units.push(`${leading}\n\n${block.text}`);
      leading = undefined;
      continue;
    }
    if (leading !== undefined) units.push(leading);
    leading = block.kind === 'text' ? block.text : undefined;
    if (leading === undefined) units.push(block.text);
  }
  return leading === undefined ? units : [...units, leading];
}

function portions(block: Block, most: number): readonly Block[] {
  if (tokensOf(block.text) <= most || block.kind === 'code' || block.kind === 'text') return [block];
  const lines = block.text.split('\n');
  return block.kind === 'table' ? rowsInPortions(lines, most) : itemsInPortions(lines, most);
}

/** Splits a long table into several, each with the heading row. */
function rowsInPortions([head = '', rule = '', ...rows]: readonly string[], most: number): readonly Block[] {
  return gathered(rows, (some) => [head, rule, ...some].join('\n'), most).map((text) => ({ kind: 'table', text }));
}

function itemsInPortions(lines: readonly string[], most: number): readonly Block[] {
  const items: string[] = [];
  for (const line of lines) {
    if (items.length > 0 && /^\s/.test(line)) items[items.length - 1] += `\n${line}`;
    else items.push(line);
  }
  return gathered(items, (some) => some.join('\n'), most).map((text) => ({ kind: 'list', text }));
}

function gathered(
  pieces: readonly string[],
  joined: (some: readonly string[]) => string,
  most: number,
): readonly string[] {
  const groups: string[][] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    if (last && tokensOf(joined([...last, piece])) <= most) last.push(piece);
    else groups.push([piece]);
  }
  return groups.map(joined);
}
