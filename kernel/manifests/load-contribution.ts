import { fwError, messageOf } from '../errors/index.js';
import { MANIFEST_ERRORS } from './errors.js';
import type { Contributor } from './manifest.js';

/** A module that a manifest names. */
interface Contribution {
  readonly by: Contributor;
  /** `commands[0].module` */
  readonly field: string;
  /** As the manifest gives it. */
  readonly module: string;
}

/**
 * Loads what a module exports by default. Until here only the manifest was read, and none of the code.
 *
 * @throws FwError `FW_MANIFEST_MODULE` when it cannot be loaded, or exports nothing by default
 */
export async function loadContribution(contribution: Contribution): Promise<unknown> {
  const { by, module } = contribution;
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(by.locate(module))) as { readonly default?: unknown };
  } catch (cause) {
    const reason = messageOf(cause);
    throw contributionError(contribution, `it cannot be loaded: ${reason}`, cause);
  }
  if (loaded.default === undefined) throw contributionError(contribution, 'it exports nothing by default');
  return loaded.default;
}

/** Like {@link loadContribution}, for modules that export a function. */
export async function loadFunction<Found extends (...args: never[]) => unknown>(
  contribution: Contribution,
): Promise<Found> {
  const found = await loadContribution(contribution);
  if (typeof found !== 'function')
    throw contributionError(contribution, `its default export is no function but ${kindOf(found)}`);
  return found as Found;
}

/** `FW_MANIFEST_MODULE`: what is wrong with the module, with package, file and field. */
export function contributionError({ by, field, module }: Contribution, problem: string, cause?: unknown): Error {
  const { owner, file, prefix } = by;
  return fwError(
    MANIFEST_ERRORS.FW_MANIFEST_MODULE,
    { owner, file, field: `${prefix}${field}`, module, problem },
    { cause },
  );
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
