import type { AjvFunction } from './issues.js';

/** Replaces the validators that the build generates when the sources run directly: empty, so that schemas are compiled. */
export const validators: Readonly<Record<string, AjvFunction>> = {};
