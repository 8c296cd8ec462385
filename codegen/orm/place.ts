import type { ts } from 'ts-morph';
import type { SourceProblem } from '../engine/source-problem.js';
import type { Place } from './model-source.js';

/** Where a node stands. */
export function placeOf(node: ts.Node): Place {
  const source = node.getSourceFile();
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return { file: source.fileName, line: line + 1, column: character + 1 };
}

/** A problem at a recorded place. */
export const problemAtPlace = ({ file, line, column }: Place, message: string): SourceProblem => ({
  file,
  line,
  column,
  message,
});
