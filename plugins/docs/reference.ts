import { llmsDocOf, type LLMSDoc } from './llms-txt/index.js';
import { openApiOf, type OpenApiDocument } from './openapi/index.js';
import { currentRegistry, type DocumentedRoute } from './registry/index.js';

/** Every documented route, sorted by path, then method: of the application that booted last, or of `doc` calls alone. */
export function routes(): readonly DocumentedRoute[] {
  return currentRegistry().routes();
}

/** The OpenAPI 3.1.0 document of {@link routes}. While collection is off it has no paths. */
export function generate(): OpenApiDocument {
  return openApiOf(currentRegistry());
}

/** What the llms files say, from {@link routes}; `renderIndex` and `renderFull` turn it into text. */
export function llmsFromRegistry(): LLMSDoc {
  return llmsDocOf(currentRegistry());
}
