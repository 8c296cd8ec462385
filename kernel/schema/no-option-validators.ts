import type { AjvFunction } from './issues.js';

/** Stands in for the validators that the build generates, where the sources run: none, so schemas are compiled. */
export const validators: Readonly<Record<string, AjvFunction>> = {};
