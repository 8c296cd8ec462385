import { defineErrors } from '../../kernel/errors/index.js';

export const MCP_ERRORS = defineErrors('plugins/mcp', {
  FW_MCP_MODE: {
    message:
      'An MCP server needs a mode, and there is no default. Got {given}. Expected --mode generator (build and change a project) or --mode app-runtime (understand a running instance); in code: mode.',
    cause:
      'fw-mcp ran without --mode, or startInProcess was called without `mode`; or the value is not one of the two.',
    remedy:
      'Say --mode generator on a developer machine, --mode app-runtime (or ModeAppRuntime) inside a deployed process.',
    guide: 'connect-an-agent.md',
  },
  FW_MCP_SCOPE: {
    message: 'The scope is wrong: {problem}. Categories: {known}.',
    cause: 'A scope names a category that does not exist, or none at all.',
    remedy: 'Name one or more of the eight categories, separated by commas; leave the scope out to grant all.',
    guide: 'connect-an-agent.md',
  },
  FW_MCP_ORIGIN: {
    message: 'The allowed origin {given} names no page. Expected a scheme and a host, such as https://tools.example.',
    cause: 'An allowed origin is *, null, a host without a scheme, or has a path.',
    remedy: 'List the origin of each page. Programs that are no browsers send no Origin header and need none.',
  },
  FW_MCP_USAGE: {
    message: '{problem} See fw-mcp --help.',
    cause: 'The command line has an unknown flag, a missing or malformed value, or a positional argument.',
    remedy: 'Correct the command line; fw-mcp --help lists the flags.',
  },
  FW_MCP_PLUGIN: {
    message:
      '--plugin names {module}, which {folder} does not have. Expected fw/tools/workbench, a package that is installed there, or a file.',
    cause: 'The package is not installed in the folder that the server was started in.',
    remedy: 'Install the package, or correct the name.',
  },
  FW_MCP_ARGUMENTS: {
    message: 'arguments: {problems}. Nothing was run.',
    status: 400,
    cause: 'The arguments of a tool call do not fit the input schema of the tool.',
    remedy: "Read the tool's inputSchema in tools/list and correct the arguments that the message names.",
  },
  FW_MCP_PREPARED: {
    message: 'The tool {tool} is on the list that the build wrote, but no plugin of this build brings it.',
    cause: 'dist/ holds files of two different builds.',
    remedy: 'Build again, or install the package again.',
  },
  FW_MCP_RESULT_SIZE: {
    message:
      'The answer of {tool} is larger than {limit} bytes, so it was not sent. Ask for less: a filter, a smaller limit, a narrower path.',
    status: 413,
    cause: 'A tool result exceeds the cap on results.',
    remedy: 'Narrow the call.',
  },
  FW_MCP_BUSY: {
    message:
      'This server runs {limit} calls at once and all are taken. Nothing was run; try again when one has finished.',
    status: 503,
    cause: 'More concurrent calls than the server accepts.',
    remedy: 'Wait for running calls to finish.',
  },
  FW_MCP_PORT_IN_USE: {
    message:
      'The control address {host}:{port} is already in use. Expected a free port: stop what listens there, or choose another one, by the option `port` of the mcp plugin or `--port` of fw-mcp.',
    cause: 'Another process, or the application itself, listens on the port of the MCP endpoint.',
    remedy:
      'Choose a free port for the control address (option `port`, or `--port`); it is never that of the application.',
  },
  FW_MCP_LISTEN: {
    message: 'The control address {host}:{port} cannot be opened: {reason}.',
    cause: 'The address does not exist on this machine, or the process may not listen there.',
    remedy: 'Choose an address of this machine, and a port above 1023 unless the process may use lower ones.',
  },
  FW_MCP_IN_PROCESS: {
    message: 'The in-process MCP endpoint is configured wrongly: {problem}.',
    cause: 'InProcessConfig lacks a field, or combines fields that exclude each other.',
    remedy: 'Correct the field that the message names.',
    guide: 'connect-an-agent.md#inside-a-running-application',
  },
  FW_MCP_STRICT_BIND: {
    message:
      'An unscoped generator-mode server was asked to listen on {host}, beyond this machine, and --strict-bind is set. Add --scope, or bind to 127.0.0.1.',
    cause: 'Whoever holds the token of such a server can rewrite the project from the network.',
    remedy: 'Grant only the categories that are needed with --scope, or listen on loopback.',
  },
  FW_MCP_ACTS_AS: {
    message:
      'A tool asked whether it may act as {tool}, which no plugin of this server contributes and which names no category.',
    status: 501,
    cause: 'The scope of a tool is the category of its plugin, and that plugin is not enabled.',
    remedy: 'Enable the plugin that contributes the tool, and name it in `needs` of the one that acts as it.',
  },
});
