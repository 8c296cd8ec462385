import { defineErrors } from '../../../kernel/index.js';

export const RUNTIME_ERRORS = defineErrors('plugins/tools/runtime', {
  FW_TOOLS_LIVE_URL: {
    message:
      '{argument} is {given}: {problem}. Expected the base URL of a running service, e.g. http://127.0.0.1:3000.',
    status: 400,
    cause: 'The address of a live service is not an http(s) URL, or carries parts that an address must not have.',
    remedy: 'Pass scheme, host and port, and a path when the service is mounted below one.',
  },
  FW_TOOLS_LIVE_HOST: {
    message:
      '{argument} names {host}, which this server may not reach: only this machine, and hosts in FW_MCP_LIVE_ALLOWLIST ({allowed}). The operator of the MCP server sets it.',
    status: 403,
    cause:
      'Live tools send credentials and report what they read, so they reach loopback hosts only, unless told otherwise.',
    remedy: 'Start the MCP server with FW_MCP_LIVE_ALLOWLIST=host or host:port, separated by commas.',
    guide: 'connect-an-agent.md',
  },
  FW_TOOLS_LIVE_NOBODY: {
    message:
      'No {argument} was given, and no running {what} of {folder} is known. Start it there (`npm run dev`), or pass {argument}.',
    status: 404,
    cause: 'A live tool was called without an address, and nothing below .fw/running names a process that runs.',
    remedy: 'Start the application in the workspace of the MCP server, or pass its address.',
    guide: 'connect-an-agent.md',
  },
  FW_TOOLS_LIVE_SEVERAL: {
    message: 'No {argument} was given, and several applications of {folder} run: {found}. Pass one of them.',
    status: 409,
    cause: 'More than one process serves the project of the workspace.',
    remedy: 'Pass the argument that the message names.',
  },
  FW_TOOLS_LIVE_UNNAMED: {
    message: 'Credentials go only to an address that you name: pass {argument} with {given}.',
    status: 400,
    cause: 'The address of a running application was found in a file, which anybody may have written.',
    remedy: 'Pass the address beside the credentials, or leave the credentials out.',
  },
  FW_TOOLS_LIVE_CREDENTIALS: {
    message: 'Pass token or username and password, not both: a request carries one Authorization header.',
    status: 400,
    cause: 'fw_simulate_request got two kinds of credentials.',
    remedy: 'Leave one of them out.',
  },
  FW_TOOLS_READ_ONLY: {
    message: '{method} may change something, and this server changes nothing. Possible here: {allowed}.',
    status: 403,
    cause: 'The server runs in app-runtime mode, or inside an application without workspace tools.',
    remedy: 'Use a generator-mode server for requests that change something.',
  },
});
