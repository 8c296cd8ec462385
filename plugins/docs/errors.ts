import { defineErrors } from '../../kernel/index.js';

export const DOCS_ERRORS = defineErrors('docs', {
  FW_DOCS_SHAPE: {
    message:
      'The shape {shape} in the documentation of {where} cannot be read: {problem}. Give a TypeBox schema, a model class or an example value.',
    cause: 'A class that is no model could not be made without arguments, so that its fields are not known.',
    remedy: 'Give a TypeBox schema instead, or a class whose constructor works without arguments.',
  },
  FW_DOCS_METHOD: {
    message: 'doc("{method}", "{path}", ...) names no HTTP method. Use one of {known}.',
    cause: 'The first argument of doc is not an HTTP method.',
    remedy: 'Write doc("GET", "/path", { ... }), or use docGET and its kin.',
  },
  FW_DOCS_WEBHOOK: {
    message: 'The webhook "{name}" has a name that is a path. Give it a name such as "order.paid".',
    cause: 'A webhook was documented under an empty name, or one that reads as a path.',
    remedy: 'Webhooks are requests to addresses of others, which have no path here: name the event.',
  },
  FW_DOCS_SECURITY: {
    message: 'The security of {where} names the scheme "{scheme}", which does not exist. Known: {known}.',
    cause: 'A route or the docs plugin has `security` with a scheme that nothing defines.',
    remedy: 'Define it in `securitySchemes` of the docs plugin, or correct the name.',
  },
  FW_DOCS_PATH: {
    message: 'The {what} "{path}" does not start with "/".',
    cause: 'A path of the API reference is relative or is a whole URL.',
    remedy: 'Write it from the root of the service, e.g. "/openapi.json".',
  },
  FW_DOCS_SAME_PATH: {
    message: '{first} and {second} are both served at "{path}". Give one of them another path.',
    cause: 'Two parts of the API reference are configured to the same path.',
    remedy: 'Change jsonPath or uiPath of the docs plugin.',
  },
  FW_DOCS_VIEWER_MISSING: {
    message:
      'The viewer of the API reference is not installed: {reason}. Install swagger-ui-dist, or set uiPath to "" to serve the document alone.',
    cause: 'The package swagger-ui-dist cannot be found from the framework.',
    remedy: 'Run npm install, or set the option uiPath of the docs plugin to an empty text.',
  },
});
