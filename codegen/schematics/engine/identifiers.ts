import { RESERVED_WORDS } from '../../text/index.js';
import { namesOf } from './names.js';

/**
 * Identifiers of one generated file. Names of the template and words of the language are never used for names of a model: a key `model` or
 * a class `Row` would shadow names that the surrounding code uses.
 */
export class Identifiers {
  readonly #taken: Set<string>;
  readonly #given = new Map<string, string>();

  /** @param own - every name that the template declares, imports or takes from the language */
  constructor(own: Iterable<string>) {
    this.#taken = new Set([...RESERVED_WORDS, ...own]);
  }

  /** The class of a model. */
  model(model: string): string {
    return this.#free(model, 'Model');
  }

  /** The columns of a model, as code generation exports them. */
  columns(model: string): string {
    return this.#free(namesOf(model).camel, 'Columns');
  }

  /** A variable with the value of a property. */
  value(property: string): string {
    return this.#free(property, 'Value');
  }

  /** A variable with the row that a relation leads to. */
  row(property: string): string {
    return this.#free(property, 'Row');
  }

  /** The function that makes a row of a model. */
  maker(model: string): string {
    return this.#free(`new${model}`, 'Row');
  }

  /** A variable for a property that is taken out of an object and not used. */
  unused(property: string): string {
    return this.#free(`_${property}`, 'Unused');
  }

  #free(wanted: string, suffix: string): string {
    const known = this.#given.get(`${wanted} ${suffix}`);
    if (known !== undefined) return known;
    let name = wanted;
    while (this.#taken.has(name)) name += suffix;
    this.#taken.add(name);
    this.#given.set(`${wanted} ${suffix}`, name);
    return name;
  }
}

/** Element of an import: `model`, or `model as modelColumns`. */
export const imported = (exported: string, name: string): string =>
  exported === name ? exported : `${exported} as ${name}`;

/** A member of an object: `id`, or `class: classValue`. */
export const entry = (property: string, value: string): string =>
  property === value ? property : `${property}: ${value}`;
