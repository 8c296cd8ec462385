import { defineErrors } from '../errors/index.js';

export const KNOWLEDGE_BASE_ERRORS = defineErrors('kernel/knowledge', {
  FW_DOCS_NOTHING: {
    message: 'Nothing in the documentation is about {query}.',
    status: 404,
    cause:
      '`fw docs` was given words that stand on no page of guides or reference, or a heading that its page does not have.',
    remedy: 'Ask with other words; `{fw} docs` lists the guides, `{fw} docs --list` every page.',
  },
});
