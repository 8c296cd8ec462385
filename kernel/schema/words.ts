import { Type } from 'typebox';

// The schemas that descriptions of data are mostly made of, under the words for them.

/** A text. */
export const Text = Type.String();
/** A list of texts. */
export const Texts = Type.Array(Text);
/** A whole number. */
export const Integer = Type.Integer();
/** A number. */
export const Numeric = Type.Number();
/** True or false. */
export const YesNo = Type.Boolean();
/** Any value. */
export const Anything = Type.Unknown();
/** An object with any members. */
export const Members = Type.Record(Text, Anything);

/** A member that may be left out. */
export const optional = Type.Optional;
/** The same for a text, with what it is. */
export const optionalText = (description: string) => optional(Type.String({ description }));
