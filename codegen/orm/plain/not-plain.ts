import type { ProjectTypes } from '../../program/index.js';

/** Says that syntax alone does not tell what something is, so that the type checker has to be asked. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

/** Gives up on reading by syntax. @throws NotPlain always */
export function notPlain(): never {
  throw new NotPlain();
}

/** Types for readers that do without them: whoever asks has come to something that syntax does not tell. */
export const NO_TYPES: ProjectTypes = {
  get program() {
    return notPlain();
  },
  get checker() {
    return notPlain();
  },
  isSpared: () => notPlain(),
};
