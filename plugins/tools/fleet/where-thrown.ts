import { isFwError, type ToolContext } from '../../../kernel/index.js';
import { runningAppsIn } from '../../../kernel/running/index.js';
import { liveBase } from '../runtime/index.js';
import type { FlatTrace } from './flat-trace.js';

/** The call that has stack and message of the root cause, which spans leave out; with the address where its service runs in the workspace. */
export async function whereThrown({ root_cause }: FlatTrace, context: ToolContext): Promise<readonly string[]> {
  if (root_cause === undefined) return [];
  const { service, callee } = root_cause;
  const url = context.application === undefined ? await addressOf(service, context.workspace) : undefined;
  const call =
    url === undefined ? 'fw_get_recent_errors at its address' : `fw_get_recent_errors {"service_url":"${url}"}`;
  if (callee !== undefined)
    return [
      `What ${callee} did stands in its own log alone. Which line of ${service} called it, and with what: ${call}.`,
    ];
  return [`Message, stack and source line of what ${service} threw: ${call}.`];
}

// An entry is a stranger's text: its address is held to the rules for one that a caller names.
async function addressOf(service: string, workspace: string): Promise<string | undefined> {
  const [found, ...others] = (await runningAppsIn(workspace)).filter(({ app }) => app === service);
  const [address] = found?.addresses ?? [];
  if (address === undefined || others.length > 0) return undefined;
  try {
    return liveBase('.fw/running', address.url);
  } catch (error) {
    if (isFwError(error)) return undefined;
    throw error;
  }
}
