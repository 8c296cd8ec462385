import { fwError } from '../../../kernel/errors/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { canonicalText, checksum } from './canonical.js';

/** A part of a file that the framework writes, between two marker lines. */
export interface Block {
  readonly name: string;
  readonly body: string;
  /** Checksum on the start marker; undefined when there is none. */
  readonly stamp: string | undefined;
  /** Whether the checksum of the body equals the stamp; false without a stamp. */
  readonly pristine: boolean;
}

/** The blocks of a file, in its order. */
export function blocksOf(text: string): readonly Block[] {
  const pattern =
    /^[ \t]*\/\/ fw:block:([\w-]+):start(?: hash=([0-9a-f]{12}))?[^\n]*\n([\s\S]*?)^[ \t]*\/\/ fw:block:\1:end/gm;
  return [...text.matchAll(pattern)].map(([, name = '', stamp, body = '']) => ({
    name,
    body,
    stamp,
    pristine: stamp !== undefined && stamp === checksum(body),
  }));
}

/** Text of a block in a file. */
export function blockText(name: string, body: string): string {
  const ended = body.endsWith('\n') ? body : `${body}\n`;
  return `// fw:block:${name}:start hash=${checksum(ended)}\n${ended}// fw:block:${name}:end`;
}

/** Result of replacing a block. */
interface Replaced {
  readonly text: string;
  readonly changed: boolean;
}

/**
 * Replaces a block. A block with the same tokens is kept, whatever its layout.
 *
 * @param force - replaces a block that was edited by hand, too
 * @throws FwError `FW_SCHEMATIC_BLOCK` when the block is missing, `FW_SCHEMATIC_EDITED` when it was edited
 */
export function replaceBlock(file: string, text: string, name: string, body: string, force = false): Replaced {
  const block = blocksOf(text).find((each) => each.name === name);
  if (!block) throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_BLOCK, { file, block: name });
  if (block.pristine && canonicalText(block.body) === canonicalText(body)) return { text, changed: false };
  if (!block.pristine && !force) throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_EDITED, { file, block: name });
  const start = new RegExp(`^[ \\t]*// fw:block:${name}:start`, 'm').exec(text)?.index ?? 0;
  const end = `// fw:block:${name}:end`;
  const after = text.indexOf(end, start) + end.length;
  return { text: text.slice(0, start) + blockText(name, body) + text.slice(after), changed: true };
}
