import { fwError } from '../../../kernel/errors/index.js';
import { withoutEnd } from '../../../kernel/values/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import type { SchematicRequest } from './schematic.js';

/** Actions of a resource or handler. */
export const ACTIONS = ['list', 'get', 'create', 'update', 'delete'] as const;
export type Action = (typeof ACTIONS)[number];

/** The actions of the flag `methods`, in the order asked for; all when it was left out. @throws FwError `FW_SCHEMATIC_FLAG` */
export function actionsOf({ text }: SchematicRequest, what: string): readonly Action[] {
  const words = text('methods')
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
  const unknown = words.filter((word) => !(ACTIONS as readonly string[]).includes(word));
  if (unknown.length > 0) throw flag('methods', what, `"${unknown[0]}" is not among ${ACTIONS.join(', ')}`);
  return words.length === 0 ? ACTIONS : [...new Set(words as Action[])];
}

/** The path of the flag `path`, with a leading slash and no trailing one. @throws FwError `FW_SCHEMATIC_FLAG` */
export function pathOf({ text }: SchematicRequest, fallback: string, what: string): string {
  const given = text('path') || fallback;
  const path = `/${withoutEnd(given.replace(/^\/+/, ''), '/')}`;
  const isPath = /^(\/[\w.~-]+)+$/.test(path) && !path.split('/').some((segment) => /^\.{1,2}$/.test(segment));
  if (!isPath) throw flag('path', what, `"${given}" is not a path such as /api/orders`);
  return path;
}

function flag(name: string, what: string, problem: string): Error {
  return fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FLAG, { flag: `--${name}`, what, problem });
}
