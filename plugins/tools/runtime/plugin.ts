import { definePlugin, ToolContribution } from '../../../kernel/index.js';
import { fwDiagnoseService } from './fw-diagnose-service.js';
import { fwGetLogs } from './fw-get-logs.js';
import { fwGetPerformance } from './fw-get-performance.js';
import { fwGetRecentErrors } from './fw-get-recent-errors.js';
import { fwGetRoutes } from './fw-get-routes.js';
import { fwQueryOpenapi } from './fw-query-openapi.js';
import { fwSimulateRequest } from './fw-simulate-request.js';

const TOOLS = [
  fwDiagnoseService,
  fwGetLogs,
  fwGetPerformance,
  fwGetRecentErrors,
  fwGetRoutes,
  fwQueryOpenapi,
  fwSimulateRequest,
];

export default definePlugin({
  id: 'tools/runtime',
  category: 'runtime',
  description: 'Tools that read live state of a running service: routes, errors, logs, performance, probes.',
  register: ({ contribute }) => {
    for (const tool of TOOLS) contribute(ToolContribution, () => tool);
  },
});
