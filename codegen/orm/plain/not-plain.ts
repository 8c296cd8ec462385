import type { ProjectTypes } from '../../program/index.js';

/** Thrown when syntax alone does not suffice, so that the type checker has to be used. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

/** Gives up on reading by syntax. @throws NotPlain always */
export function notPlain(): never {
  throw new NotPlain();
}

/** Types for readers by syntax alone: every access throws `NotPlain`. */
export const NO_TYPES: ProjectTypes = {
  get program() {
    return notPlain();
  },
  get checker() {
    return notPlain();
  },
  isSpared: () => notPlain(),
};
