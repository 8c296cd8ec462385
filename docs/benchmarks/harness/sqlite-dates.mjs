/** How libraries write a date on SQLite, which has no type for it, each as its documentation has it. */
export const SQLITE_DATES = {
  iso: (/** @type {Date} */ date) => date.toISOString(),
  ms: (/** @type {Date} */ date) => date.getTime(),
  typeorm: (/** @type {Date} */ date) => date.toISOString().replace('T', ' ').replace('Z', ''),
  prisma: (/** @type {Date} */ date) => date.toISOString().replace('Z', '+00:00'),
};

/** @typedef {keyof typeof SQLITE_DATES} DateForm */
