import type { ts as TypeScript } from 'ts-morph';
import type { Names } from './names.js';
import type { SourceFile, Sources } from './sources.js';

/** Input of a rule. */
export interface RuleInput {
  readonly sources: Sources;
  readonly names: Names;
  /** Functions that run while a request is served. */
  readonly handlers: ReadonlySet<TypeScript.FunctionLikeDeclaration>;
  /** Tables of the project's models, by the name of the table. */
  readonly tables: ReadonlyMap<string, string>;
}

/** A violation that a rule found. */
export interface Objection {
  readonly file: SourceFile;
  /** Offset in the file. */
  readonly start: number;
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  readonly replacement?: { readonly from: string; readonly to: string };
}

/** Checks one convention; its texts come from the idiom of the same name. */
export interface IdiomRule {
  readonly rule: string;
  check(input: RuleInput): Iterable<Objection>;
}

/** A node and all its descendants. */
export function* nodesIn(ts: Sources['ts'], node: TypeScript.Node): Generator<TypeScript.Node> {
  yield node;
  const children: TypeScript.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodesIn(ts, child);
}

/** Nodes of the request path with their files, each once. */
export function* nodesOnRequestPath({ sources, handlers }: RuleInput): Generator<[SourceFile, TypeScript.Node]> {
  const files = new Map(sources.files.map((file) => [file.tree, file]));
  const seen = new Set<TypeScript.Node>();
  for (const { body } of handlers) {
    const file = body && files.get(body.getSourceFile());
    if (!file) continue;
    for (const node of nodesIn(sources.ts, body)) {
      if (!seen.has(node)) yield [file, node];
      seen.add(node);
    }
  }
}
