import { fwError } from '../../../../kernel/index.js';
import { messageOf } from '../../../../kernel/errors/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { HookName } from '../model/model-definition.js';
import type { ModelInfo } from '../model/model-info.js';
import type { Session } from '../session/session.js';

/**
 * Hooks around each write of a row, in order. Bulk writes (`updateAll`, `delete` of a query) have no rows and run none;
 * `createBatch` runs those of `create` for each row, the after hooks once its chunk is written.
 */
export const ROW_HOOKS = {
  create: { before: ['beforeSave', 'beforeCreate'], after: ['afterCreate', 'afterSave'] },
  update: { before: ['beforeSave', 'beforeUpdate'], after: ['afterUpdate', 'afterSave'] },
  remove: { before: ['beforeDelete'], after: ['afterDelete'] },
} as const satisfies Record<string, { readonly before: readonly HookName[]; readonly after: readonly HookName[] }>;

/** Hooks around the creation of a row. */
export const CREATE_HOOKS: readonly HookName[] = [...ROW_HOOKS.create.before, ...ROW_HOOKS.create.after];

/** What a lifecycle hook receives; `this` is the row. Use `session` to stay in the same transaction. */
export interface HookContext {
  readonly session: Session;
  readonly signal: AbortSignal | undefined;
}

type Hook = (this: object, context: HookContext) => void | Promise<void>;

/** Runs hooks of a row in order; the first that throws ends it. Models without hooks cost one lookup in a set. */
export async function runHooks(
  info: ModelInfo,
  names: readonly HookName[],
  row: object,
  context: HookContext,
): Promise<void> {
  for (const hook of names) {
    if (!info.hooks.has(hook)) continue;
    try {
      await ((row as Record<HookName, Hook>)[hook] as Hook).call(row, context);
    } catch (error) {
      const reason = messageOf(error);
      throw fwError(ORM_ERRORS.FW_ORM_HOOK, { hook: pascal(hook), reason, model: info.name }, { cause: error });
    }
  }
}

/** Whether a model has any of the hooks. */
export const hasHooks = (info: ModelInfo, names: readonly HookName[]): boolean =>
  names.some((hook) => info.hooks.has(hook));

const pascal = (hook: HookName): string => hook.charAt(0).toUpperCase() + hook.slice(1);
