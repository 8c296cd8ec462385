import path from 'node:path';
import { isFwError, readTextFile, redactText } from '../../../kernel/index.js';
import type { RunContext } from './project.js';

const MAX_FILE_BYTES = 2 << 20;
const MAX_CHARACTERS = 200;

interface Located {
  readonly file: string;
  readonly line?: number;
}

/** Adds the source line to each finding. A finding whose file is missing or not accessible to the caller stays unchanged. */
export async function withSource<Finding extends Located>(
  root: string,
  findings: readonly Finding[],
  context: RunContext,
): Promise<(Finding & { excerpt?: string })[]> {
  const files = new Map<string, readonly string[]>();
  const result = [];
  for (const finding of findings) {
    const lines = files.get(finding.file) ?? (await linesOf(path.resolve(root, finding.file), context));
    files.set(finding.file, lines);
    // Redact before shortening: a shortened secret would not be recognized.
    const text = redactText(lines[(finding.line ?? 0) - 1] ?? '').trim();
    result.push(text ? { ...finding, excerpt: text.slice(0, MAX_CHARACTERS) } : finding);
  }
  return result;
}

async function linesOf(file: string, { confine }: RunContext): Promise<readonly string[]> {
  try {
    return (await readTextFile(await confine(file), { maxBytes: MAX_FILE_BYTES })).split('\n');
  } catch (error) {
    if (isFwError(error)) return [];
    throw error;
  }
}
