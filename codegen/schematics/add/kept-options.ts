import { ts } from 'ts-morph';

/**
 * Merges the `plugin(...)` call of a project with a new one, in each profile: options in `replaces` come from the new call, all others from
 * the listed call. A listed call whose options are no object literal is replaced as a whole.
 *
 * @param listed - source text of the call as the project has it
 * @param call - source text of the new call
 * @param replaces - names of the options that the new call decides
 */
export function withKeptOptions(listed: string, call: string, replaces: readonly string[]): string {
  const [, before, variantsBefore] = argumentsOf(listed);
  const [load, after, variantsAfter] = argumentsOf(call);
  if (load === undefined || !isReadable(before) || !isReadable(variantsBefore)) return call;
  const options = merged(membersOf(before), membersOf(after), replaces);
  const variants = mergedVariants(membersOf(variantsBefore), membersOf(variantsAfter), replaces);
  const rest = [options || (variants ? '{}' : ''), variants].filter(Boolean);
  return `plugin(${[load.getText(), ...rest].join(', ')})`;
}

type Members = ReadonlyMap<string, ts.ObjectLiteralElementLike>;

function argumentsOf(call: string): readonly ts.Expression[] {
  const [statement] = ts.createSourceFile('call.ts', call, ts.ScriptTarget.Latest, true).statements;
  const expression = statement && ts.isExpressionStatement(statement) ? statement.expression : undefined;
  return expression && ts.isCallExpression(expression) ? expression.arguments : [];
}

const isReadable = (written: ts.Expression | undefined): boolean =>
  written === undefined || ts.isObjectLiteralExpression(written);

// A spread has no name, and is kept under its text.
const membersOf = (written: ts.Expression | undefined): Members =>
  new Map(
    (written && ts.isObjectLiteralExpression(written) ? [...written.properties] : []).map((each) => [
      (each.name ?? each).getText(),
      each,
    ]),
  );

function merged(before: Members, after: Members, replaces: readonly string[]): string {
  const members = [
    ...[...after].filter(([name]) => replaces.includes(name)),
    ...[...before].filter(([name]) => !replaces.includes(name)),
  ];
  return literalOf(members.map(([, each]) => each.getText()));
}

function mergedVariants(before: Members, after: Members, replaces: readonly string[]): string {
  const parts = [...new Set([...before.keys(), ...after.keys()])].map((profile) => {
    const [one, other] = [valueOf(before.get(profile)), valueOf(after.get(profile))];
    // `false`, or a name: no option can be told apart in it.
    if (!isReadable(one)) return before.get(profile)?.getText() ?? '';
    const options = merged(membersOf(one), membersOf(other), replaces);
    return options === '' ? '' : `${profile}: ${options}`;
  });
  return literalOf(parts.filter((part) => part !== ''));
}

const valueOf = (member: ts.ObjectLiteralElementLike | undefined): ts.Expression | undefined =>
  member && (ts.isPropertyAssignment(member) ? member.initializer : (member.name as ts.Expression | undefined));

const literalOf = (members: readonly string[]): string => (members.length === 0 ? '' : `{ ${members.join(', ')} }`);
