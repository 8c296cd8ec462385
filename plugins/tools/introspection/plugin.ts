import { definePlugin, ToolContribution } from '../../../kernel/index.js';
import { fwFeatures } from './fw-features.js';
import { fwRoutes } from './fw-routes.js';

export default definePlugin({
  id: 'tools/introspection',
  category: 'introspection',
  description: 'Tools that read what exists in a project: fw_features, fw_routes.',
  register: ({ contribute }) => {
    for (const tool of [fwFeatures, fwRoutes]) contribute(ToolContribution, () => tool);
  },
});
