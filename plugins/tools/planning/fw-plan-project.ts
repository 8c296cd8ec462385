import { defineTool, isFwError, Type } from '../../../kernel/index.js';
import { Integer, optionalText, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import { readDocument } from '../knowledge/index.js';
import { configInputs } from './config-inputs.js';

const Planned = Type.Object({ path: Text, change: Type.Literal('created'), bytes: Integer });

export const fwPlanProject = defineTool({
  name: 'fw_plan_project',
  description: 'Show what fw_new would write for a configuration: files, features, problems. Writes nothing.',
  input: Type.Object({
    name: optionalText('name of the project; default app'),
    template: optionalText('api (default) or minimal'),
    ...configInputs,
  }),
  output: Type.Object({
    valid: YesNo,
    errors: Texts,
    template: Text,
    features: Texts,
    files: Type.Array(Planned),
    file_count: Integer,
    wrote_to_disk: YesNo,
    warnings: Texts,
  }),
  texts: ['name', 'template', 'config', 'config_yaml'],
  reach: 'workspace',
  effects: [],
  run: async ({ name = 'app', template = 'api', config, config_yaml }) => {
    const { document, errors } = await readDocument({ config, config_yaml } as Parameters<typeof readDocument>[0]);
    const plan =
      errors.length > 0
        ? { errors, files: [], features: [], warnings: [] }
        : await planned(name, template || 'api', document);
    const valid = plan.errors.length === 0;
    const structured = {
      valid,
      errors: plan.errors,
      template,
      features: plan.features,
      files: plan.files,
      file_count: plan.files.length,
      wrote_to_disk: false,
      warnings: plan.warnings,
    };
    const summary = valid
      ? `${plan.files.length} files would be written, and the framework packed into vendor/. Call fw_new with the same arguments to make it.`
      : `The plan has ${plan.errors.length} problem(s): ${plan.errors[0] ?? ''}`;
    return { summary, structured, isError: !valid };
  },
});

interface Plan {
  readonly errors: readonly string[];
  readonly files: readonly { path: string; change: 'created'; bytes: number }[];
  readonly features: readonly string[];
  readonly warnings: readonly string[];
}

// Runs the generator in memory, without packing the framework.
async function planned(name: string, template: string, document: object): Promise<Plan> {
  const { checkedName, ConfigSource, CONFIG_FILE, contextInMemory, writeProject } =
    await import('../../../codegen/schematics/index.js');
  const { FEATURES } = await import('../introspection/index.js');
  const warnings: string[] = [];
  const project = contextInMemory('/', (line) => {
    if (line.startsWith('note: ')) warnings.push(line.slice('note: '.length));
  });
  try {
    await writeProject(
      { name: checkedName(name), template, document },
      { name: 'fw.tgz', bytes: Buffer.alloc(0) },
      project,
    );
  } catch (error) {
    if (!isFwError(error)) throw error;
    return { errors: [error.message], files: [], features: [], warnings };
  }
  const { entries } = new ConfigSource((await project.read(CONFIG_FILE)) ?? '');
  const features = entries.flatMap(({ module }) => FEATURES.find(({ plugin }) => plugin === module)?.name ?? []);
  const files = [...project.files]
    .filter(([file]) => !file.startsWith('vendor/'))
    .map(([file, bytes]) => ({ path: file, change: 'created' as const, bytes: bytes.length }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { errors: [], files, features, warnings };
}
