import type { Temporal } from 'temporal-polyfill';
import { hasTemporal } from '../index.js';

// Node has it from release 26 on; before, a polyfill that tests bring along is assigned to the global object, as an application does.
async function assignPolyfill(): Promise<boolean> {
  try {
    const polyfill = await import('temporal-polyfill');
    Object.assign(globalThis, { Temporal: polyfill.Temporal });
    return true;
  } catch (error) {
    // Jest has a code of its own.
    const { code } = error as { readonly code?: unknown };
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}

/** Whether this process has Temporal, of its own or of the package `temporal-polyfill`. */
export const temporalIsHere: boolean = hasTemporal() || (await assignPolyfill());

/** The namespace as the process has it. */
export const here = (): typeof Temporal => (globalThis as unknown as { readonly Temporal: typeof Temporal }).Temporal;

export type { Temporal };
