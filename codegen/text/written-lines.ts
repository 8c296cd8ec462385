import { textWidth } from './text-width.js';
import { LINE_WIDTH } from './written-value.js';

/** An import of names, on one line if it fits. */
export function importText(names: readonly string[], specifier: string): string {
  const flat = `import { ${names.join(', ')} } from ${specifier};`;
  if (textWidth(flat) <= LINE_WIDTH || names.length === 1) return flat;
  return ['import {', ...names.map((name) => `  ${name},`), `} from ${specifier};`].join('\n');
}

/** `<head> = a | b;` or, if that is too long, one alternative per line. */
export function unionText(head: string, alternatives: readonly string[]): string {
  const flat = `${head} = ${alternatives.join(' | ')};`;
  if (textWidth(flat) <= LINE_WIDTH) return flat;
  if (alternatives.length === 1) return `${head} =\n  ${alternatives[0]};`;
  return [
    `${head} =`,
    ...alternatives.map((each, index) => `  | ${each}${index === alternatives.length - 1 ? ';' : ''}`),
  ].join('\n');
}

/** An assignment, with its value on the next line if it does not fit. */
export function assignmentText(indent: number, target: string, value: string): string {
  const pad = ' '.repeat(indent);
  const flat = `${pad}${target} = ${value};`;
  if (textWidth(flat) <= LINE_WIDTH) return flat;
  return `${pad}${target} =\n${pad}  ${value};`;
}

/** An optional member of an interface. */
export function optionalMemberText(name: string, type: string): string {
  const flat = `  ${name}?: ${type} | undefined;`;
  return textWidth(flat) <= LINE_WIDTH ? flat : `  ${name}?:\n    | ${type}\n    | undefined;`;
}
