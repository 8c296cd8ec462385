import { definePlugin, ToolContribution } from '../../../kernel/index.js';
import { fwCheckLlmsTxtFreshness } from './fw-check-llms-txt-freshness.js';
import { fwDescribeSchema } from './fw-describe-schema.js';
import { fwExplainIdiom } from './fw-explain-idiom.js';
import { fwGenerateLlmsTxt } from './fw-generate-llms-txt.js';
import { fwListExamples } from './fw-list-examples.js';
import { fwSearchLlmsTxt } from './fw-search-llms-txt.js';
import { fwSuggestNextSteps } from './fw-suggest-next-steps.js';

const TOOLS = [
  fwDescribeSchema,
  fwExplainIdiom,
  fwListExamples,
  fwGenerateLlmsTxt,
  fwCheckLlmsTxtFreshness,
  fwSearchLlmsTxt,
  fwSuggestNextSteps,
];

export default definePlugin({
  id: 'tools/knowledge',
  category: 'knowledge',
  description: 'Tools that explain the framework: configuration schema, examples, conventions, llms files, next steps.',
  needs: ['tools/introspection'],
  // The renderer of the llms files is a function of the docs plugin; it need not be enabled.
  optionalNeeds: ['docs'],
  register: ({ contribute }) => {
    for (const tool of TOOLS) contribute(ToolContribution, () => tool);
  },
});
