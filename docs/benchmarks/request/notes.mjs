/**
 * What a profile found in the way of a goal that was missed.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const notes = {};
