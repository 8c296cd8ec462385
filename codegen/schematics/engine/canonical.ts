import { createHash } from 'node:crypto';
import { ts } from 'ts-morph';
import { fwError } from '../../../kernel/errors/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';

/**
 * Source text as its tokens alone: layout, quotes, semicolons and trailing commas are ignored, so that formatting does not count as an
 * edit. Comments are ignored too.
 */
export function canonicalText(source: string): string {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, source);
  const tokens: string[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === ts.SyntaxKind.SemicolonToken) continue;
    if (/^[)\]}]$/.test(scanner.getTokenText()) && tokens.at(-1) === ',') tokens.pop();
    tokens.push(
      kind === ts.SyntaxKind.StringLiteral ? JSON.stringify(scanner.getTokenValue()) : scanner.getTokenText(),
    );
  }
  return tokens.join(' ');
}

/** First 12 hexadecimal digits of the SHA-256 of the canonical text. */
export function checksum(source: string): string {
  return createHash('sha256').update(canonicalText(source)).digest('hex').slice(0, 12);
}

interface WithParseDiagnostics {
  readonly parseDiagnostics: readonly ts.Diagnostic[];
}

/** Makes sure that a file parses before it is written. @throws FwError `FW_SCHEMATIC_SYNTAX` */
export function assertParses(file: string, text: string): void {
  // The parser keeps its diagnostics on the file; whoever else has them makes a program and a checker first.
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022) as unknown as WithParseDiagnostics;
  const [first] = parsed.parseDiagnostics;
  if (!first) return;
  const problem = ts.flattenDiagnosticMessageText(first.messageText, ' ');
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_SYNTAX, { file, problem });
}
