import { ts } from 'ts-morph';

// The name of an export may be any quoted text, which not every tool understands: only identifiers are used.
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * Name that a class can be imported by from the file that declares it: its own if it is exported by several, `default` if there is no
 * other; undefined for a class that is not exported.
 */
export function exportNameOf(declaration: ts.ClassLikeDeclaration, checker: ts.TypeChecker): string | undefined {
  const module = checker.getSymbolAtLocation(declaration.getSourceFile());
  const own = symbolOf(declaration, checker);
  if (module === undefined || own === undefined) return undefined;
  const names = checker
    .getExportsOfModule(module)
    .filter((each) => targetOf(each, checker) === own && !isForTypesOnly(each))
    .map(({ name }) => name)
    .filter((name) => IDENTIFIER.test(name));
  const [first] = names.filter((name) => name !== 'default').sort();
  return names.find((name) => name === declaration.name?.text) ?? first ?? names[0];
}

function symbolOf(declaration: ts.ClassLikeDeclaration, checker: ts.TypeChecker): ts.Symbol | undefined {
  return checker.getTypeAtLocation(declaration).getSymbol();
}

function targetOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

// `export type { Car }` exports nothing at run time.
function isForTypesOnly({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((each) => ts.isExportSpecifier(each) && (each.isTypeOnly || each.parent.parent.isTypeOnly));
}
