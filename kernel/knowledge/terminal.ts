import { blocksOf } from './markdown-page.js';

const BOLD = '\x1b[1m';
const DIM = '\x1b[2m';
const PLAIN = '\x1b[0m';

const WIDEST = 100;

/** Markdown as a terminal shows it: headings bold, code verbatim and indented, text and tables by the width of the screen. */
export function forTerminal(markdown: string, columns = 80, colours = true): string {
  const width = Math.min(columns, WIDEST);
  const marked = (mark: string, text: string) => (colours ? `${mark}${text}${PLAIN}` : text);
  const blocks = blocksOf(markdown).flatMap(({ kind, text }) => {
    if (kind === 'code') return [marked(DIM, indented(text.split('\n').slice(1, -1)))];
    if (kind === 'table') return [tableText(text, width)];
    return splitHeadings(text).map((part) =>
      part.startsWith('#')
        ? marked(BOLD, part.replace(/^#+ /, ''))
        : kind === 'list'
          ? listText(part, width)
          : wrapped(plain(part), width),
    );
  });
  return `${blocks.join('\n\n')}\n`;
}

const indented = (lines: readonly string[]): string => lines.map((line) => `    ${line}`.trimEnd()).join('\n');

// A heading ends a paragraph without a blank line too.
const splitHeadings = (text: string): readonly string[] => text.split(/(?<=^#{1,6} .*)\n|\n(?=#{1,6} )/m);

/** Links become their text and target; quotes stay. */
const plain = (text: string): string => text.replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 ($2)').replace(/\*\*/g, '');

function wrapped(text: string, width: number, first = '', next = first): string {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const joined = line.trim() === '' || line === first ? `${line}${word}` : `${line} ${word}`;
    if (joined.length > width && line.trim() !== '' && line !== first) {
      lines.push(line);
      line = `${next}${word}`;
    } else line = joined;
  }
  return [...lines, line].join('\n');
}

function listText(text: string, width: number): string {
  const items = text.split(/\n(?=\s*(?:[-*]|\d+\.) )/);
  return items
    .map((item) => {
      const [, mark = ''] = /^(\s*(?:[-*]|\d+\.) )/.exec(item) ?? [];
      return wrapped(plain(item.slice(mark.length)), width, mark, ' '.repeat(mark.length));
    })
    .join('\n');
}

// Tables of prose are too wide for a terminal: each row becomes a paragraph that begins with its first cell.
function tableText(text: string, width: number): string {
  const rows = text.split('\n').map(cellsOf);
  const [head = [], , ...body] = rows;
  return body
    .map(([first = '', ...others]) => {
      const told = others.map((cell, at) => {
        const name = others.length > 1 ? head[at + 1] : '';
        return cell === '' ? '' : name ? `${name}: ${cell}` : cell;
      });
      return `${wrapped(plain(first), width, '  ')}\n${wrapped(plain(told.filter(Boolean).join('; ')), width, '      ')}`;
    })
    .join('\n');
}

const cellsOf = (row: string): string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
