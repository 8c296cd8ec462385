/**
 * Variables that a container gets. The names are fixed: the runtime takes the values from its own environment, which a name from a request
 * (`LD_PRELOAD`, `DOCKER_HOST`) must never reach. The variables of a request for its application are packed into one.
 */
export const CONTAINER_VARIABLES = {
  /** Token of the control address. */
  controlToken: 'FW_MCP_TOKEN',
  /** Token of the application's own MCP endpoint; set if the endpoint is served. */
  appMcpToken: 'FW_APP_MCP_TOKEN',
  /** Variables of the application, as a JSON object. */
  service: 'FW_SERVICE_ENV',
  /** Variables of the aggregator, as a JSON object; set if one runs. */
  aggregator: 'FLEET_AGGREGATOR_ENV',
} as const;

export type ContainerVariable = (typeof CONTAINER_VARIABLES)[keyof typeof CONTAINER_VARIABLES];
