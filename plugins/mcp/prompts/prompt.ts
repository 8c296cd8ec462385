/** Values of a result, for completion: the strings at a path like `features/name`, through lists. */
export interface ValueSource {
  /** A tool without required arguments. */
  readonly tool: string;
  /** Names of fields from its structured result downwards, separated by slashes. */
  readonly at: string;
}

/** An argument of a prompt. */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required?: true;
  /** Where its values come from, when they can be known. */
  readonly values?: ValueSource | readonly string[];
}

/** A frequent task of users, with the tools that solve it in their order. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Tools that its text names: the prompt is offered only if all of them are reachable. */
  readonly tools: readonly string[];
  /** Tools that its text names where they are reachable: those of plugins that an operator adds. */
  readonly further?: readonly string[];
  /** What the model is asked; the values of arguments are quoted there. @param has - whether a tool is reachable */
  text(given: (name: string) => string | undefined, has: (tool: string) => boolean): string;
}
