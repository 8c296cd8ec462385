import { definePlugin, ToolContribution } from '../../../kernel/index.js';
import { fwExplainIncident } from './fw-explain-incident.js';
import { fwGetContractViolations } from './fw-get-contract-violations.js';
import { fwGetTopology } from './fw-get-topology.js';
import { fwGetTrace } from './fw-get-trace.js';
import { fwGetTraces } from './fw-get-traces.js';

const TOOLS = [fwExplainIncident, fwGetContractViolations, fwGetTopology, fwGetTrace, fwGetTraces];

export default definePlugin({
  id: 'tools/fleet',
  category: 'fleet',
  description: 'Tools that read a Fleet Aggregator: traces, topology, contract violations, incidents.',
  needs: ['tools/runtime'],
  register: ({ contribute }) => {
    for (const tool of TOOLS) contribute(ToolContribution, () => tool);
  },
});
