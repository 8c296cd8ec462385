/** Stands in for the index that the build makes, where the sources run: none, so it is made of the pages. */
export const preparedKnowledge: string | undefined = undefined;
