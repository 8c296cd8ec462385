/** Replaces the index that the build makes when the sources run directly: undefined, so that the index is built from the pages. */
export const preparedKnowledge: string | undefined = undefined;
