import type { ts } from 'ts-morph';
import { type FwError, fwError, isFwError, messageOf } from '../../kernel/errors/index.js';
import { EVALUATOR_ERRORS } from './errors.js';
import { shortened } from './syntax.js';

/** Why an expression has no value before the program runs, and where. */
export interface Unresolved {
  /** Absolute path. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** A sentence without full stop. */
  readonly reason: string;
}

/** The place of a node with a reason. */
export function unresolvedAt(node: ts.Node, reason: string): Unresolved {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return { file: source.fileName, line: line + 1, reason };
}

/** The error that carries an {@link Unresolved} up to whoever asked for the value. */
export function unresolvable(node: ts.Node, reason: string): FwError {
  return fwError(EVALUATOR_ERRORS.FW_CODEGEN_UNRESOLVED, { ...unresolvedAt(node, reason) });
}

/**
 * What an operation on known values gives, such as `1n / 0n`.
 * @param node - the operation, for the error
 * @throws FwError `FW_CODEGEN_UNRESOLVED` when it fails
 */
export function carriedOut<Result>(node: ts.Node, operate: () => Result): Result {
  try {
    return operate();
  } catch (cause) {
    throw unresolvable(node, `${shortened(node)} failed: ${messageOf(cause)}`);
  }
}

/** The place and reason behind an error of {@link unresolvable}; undefined for other errors. */
export function unresolvedOf(error: unknown): Unresolved | undefined {
  if (!isFwError(error) || error.code !== EVALUATOR_ERRORS.FW_CODEGEN_UNRESOLVED.code) return undefined;
  return error.details as unknown as Unresolved;
}

/** A value, or undefined where it is not known before the program runs. Other errors are thrown on. */
export function ifResolved<Result>(evaluate: () => Result): Result | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (unresolvedOf(error)) return undefined;
    throw error;
  }
}
