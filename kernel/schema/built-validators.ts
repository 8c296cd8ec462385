import { registerPrecompiled } from './precompiled.js';

/**
 * Registers the validators that the framework's build generated for the options of its own plugins. Where the sources run,
 * there are none, and schemas are compiled on first use.
 */
export async function useBuiltValidators(): Promise<void> {
  const { validators } = await import('#option-validators');
  registerPrecompiled(validators);
}
