import { API_REFERENCE } from './api-reference.js';
import { CONFINEMENT } from './confinement.js';
import { CONTROL_PLANE_PROTOCOL } from './control-plane-protocol.js';
import { CONTROL_PLANE } from './control-plane.js';
import { DIAGNOSTICS } from './diagnostics.js';
import { ERRORS } from './errors.js';
import { EVENTS } from './events.js';
import { FLEET_AGGREGATOR } from './fleet-aggregator.js';
import { FLEET_TRACER } from './fleet-tracer.js';
import { IN_PROCESS } from './in-process.js';
import { LIMITS } from './limits.js';
import { MIDDLEWARE_OPTIONS } from './middleware-options.js';
import { MIDDLEWARE } from './middleware.js';
import { ORM_DIALECTS } from './orm-dialects.js';
import { ORM_MODELS } from './orm-models.js';
import { ORM_QUERIES } from './orm-queries.js';
import { ORM_VALUES } from './orm-values.js';
import { ORM_WRITES } from './orm-writes.js';
import { OVERVIEW } from './overview.js';
import { PROVISIONING } from './provisioning.js';
import { type Requirement } from './requirement.js';

export { type Requirement } from './requirement.js';

/** Every sentence and table row of the specification that says what the product does, in the order of the specification's parts. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...OVERVIEW,
  ...CONTROL_PLANE,
  ...CONTROL_PLANE_PROTOCOL,
  ...CONFINEMENT,
  ...IN_PROCESS,
  ...PROVISIONING,
  ...MIDDLEWARE_OPTIONS,
  ...MIDDLEWARE,
  ...FLEET_TRACER,
  ...FLEET_AGGREGATOR,
  ...API_REFERENCE,
  ...DIAGNOSTICS,
  ...EVENTS,
  ...ORM_VALUES,
  ...ORM_MODELS,
  ...ORM_DIALECTS,
  ...ORM_QUERIES,
  ...ORM_WRITES,
  ...ERRORS,
  ...LIMITS,
];
