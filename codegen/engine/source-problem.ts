import path from 'node:path';
import type { Node } from 'ts-morph';
import { type FwError, fwError, isFwError } from '../../kernel/errors/index.js';
import { CODEGEN_ERRORS } from './errors.js';

/** A mistake in a source file, with its place and what was expected there. */
export interface SourceProblem {
  /** Absolute path. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
  /** What is wrong and what was expected. */
  readonly message: string;
}

/** A problem at a node of the syntax tree. */
export function problemAt(node: Node, message: string): SourceProblem {
  const source = node.getSourceFile();
  const { line, column } = source.getLineAndColumnAtPos(node.getStart());
  return { file: source.getFilePath(), line, column, message };
}

/**
 * The error that a generator throws for its problems; the engine collects those of all generators.
 * @throws nothing; it returns the error, of code `FW_CODEGEN_SOURCES`
 */
export function sourceProblems(problems: readonly SourceProblem[]): FwError {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const lines = problems.map((problem) => `  ${inWords(problem)}`).join('\n');
  return fwError(CODEGEN_ERRORS.FW_CODEGEN_SOURCES, { count, problems: lines, list: problems });
}

/** The problems behind an error of {@link sourceProblems}; undefined for any other error. */
export function problemsOf(error: unknown): readonly SourceProblem[] | undefined {
  if (!isFwError(error) || error.code !== CODEGEN_ERRORS.FW_CODEGEN_SOURCES.code) return undefined;
  return error.details['list'] as readonly SourceProblem[];
}

/** `file:line:column message`, the file relative to a folder when it is given. */
export function inWords({ file, line, column, message }: SourceProblem, root?: string): string {
  const shown = root === undefined ? file : path.relative(root, file);
  return `${shown}:${line}:${column} ${message}`;
}
