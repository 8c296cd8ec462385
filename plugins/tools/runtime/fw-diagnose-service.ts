import { type Static, Type } from 'typebox';
import { brief, type ToolContext, type ToolResult } from '../../../kernel/index.js';
import { Integer, Members, optional, optionalText, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import { liveTool } from './live-service.js';
import { ServiceInput, serviceOf } from './service-input.js';

const STATUSES = ['degraded', 'unknown', 'ok', 'off'] as const;

const Report = Type.Object({
  subsystem: Text,
  status: Text,
  summary: Text,
  detail: optional(Members),
  notes: optional(Texts),
});
type Report = Static<typeof Report>;
const All = Type.Object({
  subsystems: Type.Array(Report),
  total: Integer,
  ok: Integer,
  degraded: Integer,
  off: Integer,
  unknown: Integer,
  counting: YesNo,
  counting_since: optional(Text),
});

const input = Type.Object({
  ...ServiceInput,
  subsystem: optionalText('one probe, e.g. mcp, docs, jwt'),
  status: optional(Type.Enum([...STATUSES])),
  detail: optional(Type.Boolean({ description: 'of healthy ones too' })),
});
const output = Type.Union([Report, Type.Object({ ...All.properties, service_url: Text, notes: Texts })]);

export const fwDiagnoseService = liveTool({
  name: 'fw_diagnose_service',
  description: 'Read the health probes of every subsystem of a running app, worst first.',
  input,
  output,
  texts: ['subsystem'],
  run: (given, context) =>
    given.subsystem === undefined ? everything(given, context) : oneSubsystem(given, given.subsystem, context),
});

type Given = Static<typeof input>;

async function oneSubsystem(given: Given, subsystem: string, context: ToolContext): Promise<ToolResult<Report>> {
  const service = await serviceOf(given, context);
  const missing = `There is no subsystem ${JSON.stringify(subsystem)} in this service, or no dashboard. Call without subsystem for the list.`;
  const report = await service.read({ ...DIAGNOSTICS, query: { subsystem }, schema: Report, missing });
  return { summary: `${report.subsystem} is ${report.status}: ${report.summary}`, structured: report };
}

const DIAGNOSTICS = { endpoint: 'diagnostics', what: 'diagnostics' } as const;

async function everything(given: Given, context: ToolContext) {
  const service = await serviceOf(given, context);
  const all = await service.read({ ...DIAGNOSTICS, schema: All });
  const sorted = all.subsystems.sort((a, b) => rank(a) - rank(b) || a.subsystem.localeCompare(b.subsystem));
  const shown = sorted.filter(({ status }) => given.status === undefined || status === given.status);
  const { total, ok, degraded, off, unknown, counting, counting_since } = all;
  const structured = {
    service_url: service.base,
    total,
    ok,
    degraded,
    off,
    unknown,
    counting,
    counting_since,
    subsystems: shown.map(given.detail ? (report) => report : shortened),
    notes:
      given.status === undefined ? [] : [`Only status ${given.status} is listed; the counts are of all subsystems.`],
  };
  return { summary: verdict(sorted, all), structured };
}

// For a healthy part the summary is enough.
function shortened(report: Report): Report {
  const { subsystem, status, summary } = report;
  return status === 'degraded' || status === 'unknown' ? report : { subsystem, status, summary };
}

const SHOWN_CHARACTERS = 160;

function verdict(sorted: readonly Report[], { total, ok, off }: Static<typeof All>): string {
  const ill = sorted.filter(({ status }) => status === 'degraded' || status === 'unknown');
  if (ill.length === 0) return `Healthy: ${ok} of ${total} subsystems are ok, ${off} off.`;
  const said = ill
    .slice(0, 3)
    .map(({ subsystem, status, summary }) => `${subsystem} is ${status}: ${brief(summary, SHOWN_CHARACTERS)}`);
  return `${ill.length} of ${total} subsystems need a look. ${said.join(' | ')}`;
}

function rank({ status }: Report): number {
  return STATUSES.indexOf(status as (typeof STATUSES)[number]);
}
