import type { ErrorDefinition } from '../../errors/index.js';
import { asProjectsCall } from '../../invocation/index.js';

/** The page that lists every error code, by area. */
export function errorsPage(errors: readonly ErrorDefinition[]): string {
  const areas = [...new Set(errors.map(({ area }) => area))].sort();
  const lines = [
    '# Error codes',
    '',
    'Generated from the error tables by `npm run docs`; do not edit. A code keeps its meaning for ever. Braces stand for values;',
    '`status` is the HTTP status when the error ends a request.',
    '',
    ...areas.flatMap((area) =>
      section(
        area,
        errors.filter((error) => error.area === area),
      ),
    ),
  ];
  return asProjectsCall(lines.join('\n'));
}

function section(area: string, errors: readonly ErrorDefinition[]): string[] {
  return [`## ${area}`, '', ...errors.flatMap(entry)];
}

function entry({ code, message, clientMessage, status, cause, remedy, guide }: ErrorDefinition): string[] {
  return [
    `### ${code}`,
    '',
    `> ${message}`,
    '',
    ...(status === undefined ? [] : [`- status: ${status}`]),
    ...(clientMessage === undefined ? [] : [`- clients read: ${clientMessage}`]),
    `- cause: ${cause}`,
    `- remedy: ${remedy}`,
    ...(guide === undefined ? [] : [`- guide: [${guide}](../guides/${guide})`]),
    '',
  ];
}
