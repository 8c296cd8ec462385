import { type Static, Type } from 'typebox';
import { defineTool, type ToolContext, type ToolResult } from '../../../kernel/index.js';
import { live, readLive } from './live-service.js';
import { dashboardEndpoint, SERVICE_TEXTS, ServiceInput } from './service-input.js';

const STATUSES = ['degraded', 'unknown', 'ok', 'off'] as const;

const Report = Type.Object({
  subsystem: Type.String(),
  status: Type.String(),
  summary: Type.String(),
  detail: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  notes: Type.Optional(Type.Array(Type.String())),
});
type Report = Static<typeof Report>;
const All = Type.Object({
  subsystems: Type.Array(Report),
  total: Type.Integer(),
  ok: Type.Integer(),
  degraded: Type.Integer(),
  off: Type.Integer(),
  unknown: Type.Integer(),
  counting: Type.Boolean(),
  counting_since: Type.Optional(Type.String()),
});

const input = Type.Object({
  ...ServiceInput,
  subsystem: Type.Optional(Type.String({ description: 'one probe, e.g. mcp, docs, jwt' })),
  status: Type.Optional(Type.Enum([...STATUSES])),
});
const output = Type.Union([
  Report,
  Type.Object({ ...All.properties, service_url: Type.String(), notes: Type.Array(Type.String()) }),
]);

export const fwDiagnoseService = defineTool({
  name: 'fw_diagnose_service',
  description: 'Read the health probes of every subsystem of a running app, worst first.',
  input,
  output,
  texts: [...SERVICE_TEXTS, 'subsystem'],
  reach: 'inProcess',
  effects: [],
  run: live<typeof input, typeof output>((given, context) =>
    given.subsystem === undefined ? everything(given, context) : oneSubsystem(given, given.subsystem, context),
  ),
});

type Given = Static<typeof input>;

async function oneSubsystem(given: Given, subsystem: string, context: ToolContext): Promise<ToolResult<Report>> {
  const endpoint = dashboardEndpoint(given, 'diagnostics', { subsystem });
  const missing = `There is no subsystem ${JSON.stringify(subsystem)} in this service, or no dashboard. Call without subsystem for the list.`;
  const report = await readLive({ ...endpoint, what: 'diagnostics', schema: Report, missing }, context);
  return { summary: `${report.subsystem} is ${report.status}: ${report.summary}`, structured: report };
}

async function everything(given: Given, context: ToolContext) {
  const endpoint = dashboardEndpoint(given, 'diagnostics');
  const all = await readLive({ ...endpoint, what: 'diagnostics', schema: All }, context);
  const shown = all.subsystems.filter(({ status }) => given.status === undefined || status === given.status);
  const { total, ok, degraded, off, unknown, counting, counting_since } = all;
  const structured = {
    service_url: endpoint.base,
    total,
    ok,
    degraded,
    off,
    unknown,
    counting,
    ...(counting_since !== undefined && { counting_since }),
    subsystems: shown.sort((a, b) => rank(a) - rank(b) || a.subsystem.localeCompare(b.subsystem)),
    notes:
      given.status === undefined ? [] : [`Only status ${given.status} is listed; the counts are of all subsystems.`],
  };
  return { summary: `${total} subsystems: ${degraded} degraded, ${unknown} unknown, ${ok} ok, ${off} off`, structured };
}

function rank({ status }: Report): number {
  return STATUSES.indexOf(status as (typeof STATUSES)[number]);
}
