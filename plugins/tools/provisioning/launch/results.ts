import type { ToolData } from '../../../../kernel/contracts/tool.js';
import { type Static, Type } from '../../../../kernel/index.js';
import { Integer, optional, optionalText, Text } from '../../../../kernel/schema/index.js';
import type { RegistryEntry } from '../registry/registry-file.js';

/** Addresses of a service; no field is called `port`, because there are four kinds of ports. */
const addresses = {
  host: Text,
  control_port: Integer,
  control_url: Type.String({ description: 'for the MCP client, as a second configured server' }),
  app_port: Integer,
  app_url: Type.String({ description: 'service_url of the live tools' }),
  app_mcp_port: optional(Integer),
  app_mcp_url: optional(Text),
  aggregator_port: optional(Integer),
  aggregator_url: optionalText('aggregator_url of the fleet tools'),
};

/** A service that was just provisioned. */
export const ProvisionedService = Type.Object({
  service_name: Text,
  container_id: Text,
  ...addresses,
  control_token: Type.String({ description: 'bearer token of control_url, returned this once and stored nowhere' }),
  app_mcp_token: optionalText('bearer token of app_mcp_url, returned this once'),
  image: Text,
  status: Type.String({ description: 'running; unhealthy: no answer in time, kept; starting: not waited for' }),
});
export type ProvisionedService = ToolData<Static<typeof ProvisionedService>>;

/** A service of the list. */
export const ListedService = Type.Object({
  service_name: Text,
  container_id: Text,
  ...addresses,
  image: Text,
  status: Type.String({ description: 'running, unhealthy, stopped, missing or unknown' }),
  health: optionalText("what the image's own health check says"),
  created_at: Text,
});

export const TOKEN_NOTICE =
  'Tokens are returned once and stored nowhere; when one is lost, deprovision the service and provision it again.';

/** The addresses of a service as results have them. */
export function addressesOf({ host, ports }: Pick<RegistryEntry, 'host' | 'ports'>) {
  const url = (port: number, path: string) => `http://${host}:${port}${path}`;
  const { control, app, appMcp, aggregator } = ports;
  return {
    host,
    control_port: control,
    control_url: url(control, '/mcp'),
    app_port: app,
    app_url: url(app, ''),
    ...(appMcp !== undefined && { app_mcp_port: appMcp, app_mcp_url: url(appMcp, '/mcp') }),
    ...(aggregator !== undefined && { aggregator_port: aggregator, aggregator_url: url(aggregator, '/fleet') }),
  };
}
