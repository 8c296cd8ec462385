import { definePlugin, ToolContribution } from '../../../kernel/index.js';
import { changeSetTools } from './change-set-tools.js';
import { fwDiffConfig } from './fw-diff-config.js';
import { fwExplainProject } from './fw-explain-project.js';
import { fwPlanProject } from './fw-plan-project.js';

export default definePlugin({
  id: 'tools/planning',
  category: 'planning',
  description: 'Tools that preview changes and hold change sets open.',
  needs: ['tools/generation', 'tools/knowledge', 'tools/introspection'],
  register: ({ contribute }) => {
    for (const tool of [fwPlanProject, fwExplainProject, fwDiffConfig, ...changeSetTools()])
      contribute(ToolContribution, () => tool);
  },
});
