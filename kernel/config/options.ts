import type { Static, TObject, TOptional, TSchema } from 'typebox';
import { Type } from 'typebox';

declare const defaulted: unique symbol;

/** An option that a person may leave out and a plugin always finds; see {@link withDefault}. */
export type Defaulted<Schema extends TSchema> = TOptional<Schema> & { readonly [defaulted]?: true };

/**
 * An option with a default: optional in `app.config.ts`, always there in `register`.
 *
 * @example
 * const options = Type.Object({ port: withDefault(Type.Integer({ description: 'TCP port' }), 3000) });
 */
export function withDefault<Schema extends TSchema>(schema: Schema, value: NoInfer<Static<Schema>>): Defaulted<Schema> {
  // Without NoInfer the compiler looks for Schema in Static as well, which takes it a million instantiations.
  // TypeBox keeps the kind of a schema in properties that a spread would lose.
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as Schema;
  return Type.Optional(Object.assign(copy, { default: value })) as Defaulted<Schema>;
}

type DefaultedKeys<Properties> = {
  [Key in keyof Properties]: typeof defaulted extends keyof Properties[Key] ? Key : never;
}[keyof Properties];

/** What a person writes in `app.config.ts` for a schema of options. */
export type OptionsInput<Options extends TObject> = NoInfer<Static<Options>>;

/** What a plugin reads: the input with its defaults filled in. */
export type ResolvedOptions<Options extends TObject> = NoInfer<
  Readonly<
    Omit<Static<Options>, DefaultedKeys<Options['properties']>> &
      Required<Pick<Static<Options>, DefaultedKeys<Options['properties']> & keyof Static<Options>>>
  >
>;
