import { ts } from 'ts-morph';
import { bare, bindingOf, shortened } from '../evaluator/index.js';

/** The member of a router that an expression calls, when it calls one: `router.get(...)`. */
export function calledOn(
  node: ts.Expression,
  router: ts.ParameterDeclaration,
): { readonly call: ts.CallExpression; readonly member: string } | undefined {
  const call = bare(node);
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return undefined;
  const { expression: object, name } = call.expression;
  return refersTo(object, router) ? { call, member: name.text } : undefined;
}

/**
 * Whether an identifier means a router. The nearest declaration of the name decides: a group's router may have the name of the
 * one around it.
 */
export function refersTo(node: ts.Node, router: ts.ParameterDeclaration): boolean {
  if (!ts.isIdentifier(node) || node.text !== (router.name as ts.Identifier).text) return false;
  if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) return false;
  const binding = bindingOf(node.text, node);
  return binding?.kind === 'parameter' && binding.node === router;
}

/** Name of the function that a worker thread runs: `{ module: new URL(...), export: 'report' }`. */
export function exportName(worker: ts.Expression): string {
  if (!ts.isObjectLiteralExpression(worker)) return shortened(worker);
  const member = worker.properties.find((each) => each.name?.getText() === 'export');
  const value = member && ts.isPropertyAssignment(member) ? bare(member.initializer) : undefined;
  return value && ts.isStringLiteralLike(value) ? value.text : shortened(worker);
}
