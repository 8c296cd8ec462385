/** @type {Readonly<Record<string, string>>} */
export const notes = {};
