import { ts } from 'ts-morph';
import type { ProjectTypes } from '../program/index.js';
import type { LibraryReader } from './library-reader.js';
import type { Report } from './marks.js';

const METHODS = ts.SymbolFlags.Method | ts.SymbolFlags.Accessor;

/**
 * The declarations of a class and of those that it extends, the base first, as the checker resolves them: through imports and barrels of
 * any form, generics and mixins. Members of a base whose decorators cannot be read are reported.
 */
export function classChain(
  declaration: ts.ClassLikeDeclaration,
  { types, libraries, report }: { types: ProjectTypes; libraries: LibraryReader; report: Report },
): readonly ts.ClassLikeDeclaration[] {
  const chain = new Set<ts.ClassLikeDeclaration>();
  add(declaration, { types, libraries, report, chain, model: declaration });
  return [...chain];
}

interface Walk {
  readonly types: ProjectTypes;
  readonly libraries: LibraryReader;
  readonly report: Report;
  readonly chain: Set<ts.ClassLikeDeclaration>;
  readonly model: ts.ClassLikeDeclaration;
}

function add(declaration: ts.ClassLikeDeclaration, walk: Walk): void {
  const heritage = heritageOf(declaration);
  if (heritage) addBase(walk.types.checker.getTypeAtLocation(heritage), heritage, walk);
  walk.chain.add(declaration);
}

const heritageOf = ({
  heritageClauses = [] as never,
}: ts.ClassLikeDeclaration): ts.ExpressionWithTypeArguments | undefined =>
  heritageClauses.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];

function addBase(type: ts.Type, heritage: ts.ExpressionWithTypeArguments, walk: Walk): void {
  // The type of a mixin is an intersection of the mixin and its base, in this order.
  if (type.isIntersection()) {
    for (const each of [...type.types].reverse()) addBase(each, heritage, walk);
    return;
  }
  const { report } = walk;
  const place = heritage.getSourceFile() === walk.model.getSourceFile() ? heritage : walk.model;
  const isParameter =
    (walk.types.checker.getTypeAtLocation(heritage.expression).flags & ts.TypeFlags.TypeParameter) !== 0;
  if (isParameter && type.flags & ts.TypeFlags.Any) return;
  if (type.flags & ts.TypeFlags.Any) {
    report(
      place,
      `${base(heritage)} is not known: its module or its name was not found, so the columns that it may have are not known either`,
    );
    return;
  }
  // The base of a mixin's inner class is a type parameter; its value is part of the outer type.
  if (type.flags & (ts.TypeFlags.TypeParameter | ts.TypeFlags.Never)) return;
  const classes = (type.getSymbol()?.declarations ?? []).filter(ts.isClassLike);
  const isKnown = (each: ts.ClassLikeDeclaration) =>
    !each.getSourceFile().isDeclarationFile || walk.libraries.classOf(each) !== undefined;
  const [source] = classes.filter(isKnown);
  if (source) {
    add(source, walk);
    return;
  }
  if (!holdsData(type, walk.types.checker)) return;
  const [declared] = classes;
  if (declared)
    report(
      place,
      `${base(heritage)} is only there as ${declared.getSourceFile().fileName}, where no decorator is left; import it from its TypeScript source, declare its columns here, or have its package built with "fw": { "models": "./dist/fw-models.json" } in its package.json`,
    );
  else
    report(
      place,
      `${base(heritage)} is of a type that hides its class, so its decorators cannot be found; let the type of the mixin be inferred`,
    );
}

const base = (heritage: ts.ExpressionWithTypeArguments): string => `the base class ${heritage.getText().slice(0, 60)}`;

function holdsData(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.getPropertiesOfType(type).some(({ flags }) => (flags & METHODS) === 0);
}
