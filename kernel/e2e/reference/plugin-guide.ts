import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A line that names a file of an example, and the code block after it. */
const PRINTED = /(^\[docs\/examples\/([\w-]+)\]\([^)\n]*\), `([\w.-]+)`:\n\n```\w+\n)[\s\S]*?^```$/gm;

/** The files of the examples that a guide prints, as `folder/file`. */
export function printedFiles(guide: string): readonly string[] {
  return [...guide.matchAll(PRINTED)].map(([, , folder, file]) => `${folder}/${file}`);
}

/** A guide whose printed example files are replaced by their current text. */
export function withPrintedFiles(guide: string, examples: string): string {
  return guide.replaceAll(PRINTED, (_block, introduction: string, folder: string, file: string) => {
    const code = readFileSync(path.join(examples, folder, file), 'utf8');
    return `${introduction}${code}\`\`\``;
  });
}
