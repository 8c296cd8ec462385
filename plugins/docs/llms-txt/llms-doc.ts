import type { ModelFacts } from '../../../kernel/index.js';
import type { ApiFacts, DocsRegistry, DocumentedRoute } from '../registry/index.js';

/** Everything that the two llms files say, whoever gathered it: the running application, or the command line. */
export interface LLMSDoc extends ApiFacts {
  /** Name of the application's package; empty when it has none. */
  readonly package: string;
  /** Sorted by path, then method. */
  readonly routes: readonly DocumentedRoute[];
  /** Sorted by name. */
  readonly models: readonly ModelFacts[];
  readonly features?: readonly string[];
  readonly sections?: readonly LLMSSection[];
  readonly notes?: readonly string[];
}

/** An additional section of the full reference. */
export interface LLMSSection {
  readonly title: string;
  readonly body?: string;
  readonly items?: readonly string[];
}

/** The document of a live registry. */
export function llmsDocOf(registry: DocsRegistry): LLMSDoc {
  return { ...registry.api, package: registry.package, routes: registry.routes(), models: registry.models() };
}
