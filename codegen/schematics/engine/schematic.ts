import type { GeneratorContext } from './context.js';
import type { Names } from './names.js';

/** Value of a flag. */
export type FlagValue = string | number | boolean;

/** A flag that a kind takes. */
export interface FlagSpec {
  readonly name: string;
  readonly type: 'string' | 'boolean';
  readonly usage: string;
}

/** The checked request to a generator. */
export interface SchematicRequest {
  readonly names: Names;
  /** `name:type` or `name:type:rules`, as given. */
  readonly fields: readonly string[];
  /** Value of a text flag; empty when it was left out. */
  text(flag: string): string;
  /** Whether a boolean flag is set. */
  on(flag: string): boolean;
}

/** A kind that `fw generate` makes. */
export interface Schematic {
  readonly kind: string;
  readonly summary: string;
  readonly flags: readonly FlagSpec[];
  /** Whether it takes fields. */
  readonly takesFields: boolean;
  /** Whether it needs a name; default true. False for a kind of which a project has only one. */
  readonly takesName?: boolean;
  run(request: SchematicRequest, context: GeneratorContext): Promise<void>;
}

export const FORCE: FlagSpec = {
  name: 'force',
  type: 'boolean',
  usage: 'overwrite the file that this kind made before',
};
export const PLURAL: FlagSpec = {
  name: 'plural',
  type: 'string',
  usage: 'plural of the name, where English is irregular',
};

/** Declares a text flag. */
export const textFlag = (name: string, usage: string): FlagSpec => ({ name, type: 'string', usage });
/** Declares a boolean flag. */
export const booleanFlag = (name: string, usage: string): FlagSpec => ({ name, type: 'boolean', usage });
