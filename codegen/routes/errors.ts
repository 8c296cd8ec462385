import { defineErrors } from '../../kernel/errors/index.js';

export const ROUTE_REGISTRY_ERRORS = defineErrors('codegen/routes', {
  FW_ROUTES_NO_REGISTRY: {
    message: 'No route registry at {path}. Run this in the folder that app.config.ts stands in, after `{fw} codegen`.',
    cause: 'The command ran in a folder that is not a project, or code was never generated.',
    remedy: 'Run `{fw} codegen`, then the command again.',
  },
  FW_ROUTES_DAMAGED: {
    message: '{path} is not a route registry: {problem}. Delete it and run `{fw} codegen`.',
    cause: 'The file was edited, or was written by another version.',
    remedy: 'Delete it and run `{fw} codegen`.',
  },
});
