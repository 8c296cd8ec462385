import { definePlugin, ToolContribution } from '../../../kernel/index.js';
import { deprovisionService } from './deprovision-service.js';
import { listProvisionedServices } from './list-provisioned-services.js';
import { provisioningOptions } from './options.js';
import { provisionFleet } from './provision-fleet.js';
import { provisionService } from './provision-service.js';
import { provisioningHost } from './provisioning-host.js';

const TOOLS = [provisionService, listProvisionedServices, deprovisionService, provisionFleet];

export default definePlugin({
  id: 'tools/provisioning',
  category: 'provisioning',
  description: 'Tools that drive a container runtime: build images, start and remove containers.',
  options: provisioningOptions,
  needs: ['tools/knowledge', 'tools/generation'],
  register: ({ contribute, options }) => {
    const host = provisioningHost(options);
    for (const tool of TOOLS) contribute(ToolContribution, () => tool(host));
  },
});
