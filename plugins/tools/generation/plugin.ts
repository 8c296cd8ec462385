import { definePlugin, ToolContribution } from '../../../kernel/index.js';
import { fwAdd } from './fw-add.js';
import { fwGenerate } from './fw-generate.js';
import { fwNew } from './fw-new.js';

export default definePlugin({
  id: 'tools/generation',
  category: 'generation',
  description: 'Tools that write project files: fw_new, fw_generate, fw_add.',
  needs: ['tools/knowledge', 'tools/introspection'],
  register: ({ contribute }) => {
    for (const tool of [fwNew, fwGenerate, fwAdd]) contribute(ToolContribution, () => tool);
  },
});
