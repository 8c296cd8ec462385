import type { DocumentInput } from '../../../../codegen/schematics/index.js';
import { type Random, step, type Task } from '../evaluation/task.js';
import type { ProjectWorld } from '../worlds/project.js';

/** What a task needs to be there, and the task over it. */
export interface ProjectTask {
  readonly document: DocumentInput;
  task(project: ProjectWorld): Promise<Task> | Task;
}

const THINGS = ['Order', 'Invoice', 'Parcel', 'Ticket', 'Refund', 'Voucher'];
const FIELDS = ['weight', 'owner', 'due', 'tax', 'total', 'code'];

/** A model of some name with one field. */
function modelOf(random: Random) {
  const model = random.pick(THINGS);
  const field = random.pick(FIELDS);
  const file = `app/models/${model.toLowerCase()}.ts`;
  return { model, field, file, document: { models: [{ name: model, fields: [{ name: field, type: 'string' }] }] } };
}

/** Problems of texts that must hold, or must not hold, some words. */
async function lacking(
  project: ProjectWorld,
  wanted: readonly (readonly [file: string, words: RegExp])[],
): Promise<readonly string[]> {
  const texts = await Promise.all(wanted.map(([file]) => project.read(file)));
  return wanted.flatMap(([file, words], index) => (words.test(texts[index] ?? '') ? [] : [`${file} lacks ${words}`]));
}

function buildResource(random: Random): ProjectTask {
  const { model, field } = modelOf(random);
  const route = `/${model.toLowerCase()}s`;
  return {
    document: {},
    task: (project) => ({
      kind: 'build',
      name: 'a resource with its routes',
      question: `Add ${model} with a ${field} and routes to list and create.`,
      given: {},
      hidden: {},
      steps: [
        step('fw_explain_project', {}, { changes: /fw_generate/ }),
        step(
          'fw_generate',
          { kind: 'resource', name: model, fields: [`${field}:string:required`, 'price:decimal'] },
          { model: `app/models/${model.toLowerCase()}.ts` },
        ),
        step('fw_routes', {}, { list: `GET `, create: `POST `, path: route }),
      ],
      answer: { route },
      check: () =>
        lacking(project, [
          [`app/models/${model.toLowerCase()}.ts`, new RegExp(`\\b${field}\\b`)],
          ['app/routes/' + `${model.toLowerCase()}s.ts`, /router|Route|routes/],
        ]),
    }),
  };
}

function buildPlan(random: Random): ProjectTask {
  const { model, document } = modelOf(random);
  return {
    document: {},
    task: () => ({
      kind: 'build',
      name: 'a plan of a new project',
      question: `What would a service with ${model} and compression consist of?`,
      given: {},
      hidden: {},
      steps: [
        step('fw_describe_schema', { section: 'models' }, { name: /name/, fields: /fields/ }),
        step(
          'fw_plan_project',
          { config: { ...document, middleware: [{ name: 'compression' }] } },
          { file: `app/models/${model.toLowerCase()}.ts` },
        ),
      ],
      answer: { config: 'app.config.ts', feature: 'compression' },
    }),
  };
}

function addFeature(random: Random): ProjectTask {
  const feature = random.pick(['cors', 'compression', 'etag', 'ratelimit']);
  return {
    document: {},
    task: (project) => ({
      kind: 'build',
      name: 'a feature with its flags',
      question: `Wire ${feature} in.`,
      given: {},
      hidden: {},
      steps: [
        step('fw_features', { feature }, { example: /fw_add/ }),
        step(
          'fw_add',
          { feature, ...(feature === 'ratelimit' && { flags: { requests: 5, per: '1s' } }) },
          { file: 'app.config.ts' },
        ),
      ],
      answer: { file: 'app.config.ts' },
      check: () =>
        lacking(project, [['app.config.ts', new RegExp(feature === 'ratelimit' ? 'rate-?limit' : feature, 'i')]]),
    }),
  };
}

function changeTogether(random: Random): ProjectTask {
  const { model, field, file, document } = modelOf(random);
  return {
    document,
    task: (project) => ({
      kind: 'change',
      name: 'two changes at once',
      question: `Give ${model} lines, and let browsers of other origins in. Both or neither.`,
      given: {},
      hidden: {},
      steps: [
        step('fw_begin_change_set', {}, { set: /\b(cs_[0-9a-f]{12})\b/ }),
        step(
          'fw_stage_call',
          {
            change_set: '${set}',
            tool: 'fw_generate',
            arguments: { kind: 'model', name: `${model}Line`, fields: [`parent:${model}`, 'count:int'] },
          },
          { staged: `app/models/${model.toLowerCase()}-line.ts` },
        ),
        step(
          'fw_stage_call',
          { change_set: '${set}', tool: 'fw_add', arguments: { feature: 'cors' } },
          { staged: 'app.config.ts' },
        ),
        step('fw_commit_change_set', { change_set: '${set}' }, { next: /fw_verify_project/ }),
        step('fw_get_change_history', {}, { line: `${model}Line`, feature: 'cors' }),
      ],
      answer: { written: `app/models/${model.toLowerCase()}-line.ts` },
      check: () =>
        lacking(project, [
          [file, new RegExp(field)],
          [`app/models/${model.toLowerCase()}-line.ts`, /count/],
          ['app.config.ts', /cors/],
        ]),
    }),
  };
}

function changeMeanwhile(random: Random): ProjectTask {
  const { model, document } = modelOf(random);
  const edit = `// edited ${random.below(900) + 100}\n`;
  return {
    document,
    task: (project) => ({
      kind: 'change',
      name: 'a file that somebody edits meanwhile',
      question: `Add etag to the service that has ${model}.`,
      given: {},
      hidden: {},
      steps: [
        step('fw_begin_change_set', {}, { set: /\b(cs_[0-9a-f]{12})\b/ }),
        step('fw_stage_call', { change_set: '${set}', tool: 'fw_add', arguments: { feature: 'etag' } }, {}),
        step(
          'fw_commit_change_set',
          { change_set: '${set}' },
          { file: 'app.config.ts', remedy: /discard/ },
          {
            refused: true,
            before: async () => project.write('app.config.ts', `${await project.read('app.config.ts')}${edit}`),
          },
        ),
        step('fw_discard_change_set', { change_set: '${set}' }, {}),
      ],
      answer: { conflict: /app\.config\.ts[\s\S]{0,200}changed/ },
      check: () =>
        lacking(project, [
          ['app.config.ts', new RegExp(edit.trim())],
          ['app.config.ts', /^(?!.*etag)/s],
        ]),
    }),
  };
}

function changeKeepsRows(random: Random): ProjectTask {
  const { model, document } = modelOf(random);
  return {
    document,
    task: (project) => ({
      kind: 'change',
      name: 'rows that are deleted and kept',
      question: `Deleting ${model} must not remove the row.`,
      given: {},
      hidden: {},
      steps: [
        step(
          'fw_search_llms_txt',
          { query: 'keep rows when they are deleted, mark them instead' },
          { feature: /soft-?delete/i },
        ),
        step('fw_features', { feature: 'soft-delete' }, { feature: 'soft-delete' }),
        step('fw_add', { feature: 'soft-delete' }, { file: 'app.config.ts' }),
      ],
      answer: { option: /softDelete/ },
      check: () => lacking(project, [['app.config.ts', /soft-?delete/i]]),
    }),
  };
}

function changeConvention(random: Random): ProjectTask {
  const { document } = modelOf(random);
  const above = random.below(20) + 2;
  const name = random.pick(['report', 'export', 'archive']);
  const source = `import { readFileSync } from 'node:fs';\nimport { routes } from 'fw/http';\n${'//\n'.repeat(above)}export default routes((router) => {\n  router.get('/${name}', () => readFileSync('/etc/hostname', 'utf8'));\n});\n`;
  return {
    document,
    task: async (project) => {
      await project.write(`app/routes/${name}.ts`, source);
      return {
        kind: 'change',
        name: 'a handler that stops every other request',
        question: 'Now and then all requests stop for a moment. Is a convention broken?',
        given: {},
        hidden: { place: `app/routes/${name}.ts`, line: String(above + 4) },
        steps: [step('fw_check_idioms', {}, {})],
        answer: { file: '${place}', line: '${line}', what: /readFileSync/ },
      };
    },
  };
}

function migrateBackfill(random: Random): ProjectTask {
  const { model, document } = modelOf(random);
  const name = `Fill${model}Slug`;
  return {
    document,
    task: (project) => ({
      kind: 'migrate',
      name: 'a column that needs a value in old rows',
      question: `${model} gets a required slug. There are rows.`,
      given: {},
      hidden: {},
      steps: [
        step(
          'fw_search_llms_txt',
          { query: 'fill a new required column of existing rows in a migration' },
          { page: /docs\/guides\/[a-z-]+\.md|migrat/ },
        ),
        step('fw_add', { feature: 'migrations' }, { file: 'app.config.ts' }),
        step('fw_generate', { kind: 'migration', name }, { up: /app\/migrations\/\w+\.up\.sql/, down: /\.down\.sql/ }),
      ],
      answer: { file: /app\/migrations\/\w+\.up\.sql/, way: /nullable|backfill|three steps/i },
      check: () => lacking(project, [['package.json', /migrate up/]]),
    }),
  };
}

function migrateType(random: Random): ProjectTask {
  const { model, field, document } = modelOf(random);
  const type = random.pick(['int', 'date', 'boolean']);
  return {
    document,
    task: () => ({
      kind: 'migrate',
      name: 'a field whose type differs from the plan',
      question: `Does ${model} fit our design, in which ${field} is of type ${type}?`,
      given: {},
      hidden: {},
      steps: [
        step(
          'fw_diff_config',
          { config: { models: [{ name: model, fields: [{ name: field, type }] }] } },
          { model, field },
        ),
      ],
      answer: { wanted: new RegExp(`\\b${type}`), present: /\bstring\b/ },
    }),
  };
}

function provisionOne(random: Random): ProjectTask {
  const name = `shop${random.below(90) + 10}`;
  return {
    document: {},
    task: () => ({
      kind: 'provision',
      name: 'a service from an image that is there, and its end',
      question: `Run ${name} from its image, then remove it.`,
      given: {},
      hidden: {},
      steps: [
        step(
          'provision_service',
          { name, docker: { skip_build: true, image_tag: `fw-provisioned/${name}`, wait_seconds: -1 } },
          { control: /http:\/\/[\w.]+:(\d+)/, token: /\b([0-9a-f]{64})\b/ },
        ),
        step('list_provisioned_services', {}, { name, state: /unhealthy|running/ }),
        step('deprovision_service', { service_name: name }, { removed: /was removed/ }),
        step('list_provisioned_services', {}, { none: /No service is provisioned/ }),
      ],
      answer: { name },
    }),
  };
}

function provisionDangerous(random: Random): ProjectTask {
  const name = `mill${random.below(90) + 10}`;
  const field = random.pick(['privileged', 'volumes', 'network_mode', 'cap_add', 'devices']);
  return {
    document: {},
    task: () => ({
      kind: 'provision',
      name: 'a container that wants more than it may have',
      question: `Run ${name} with ${field}.`,
      given: {},
      hidden: {},
      steps: [
        step('provision_service', { name, docker: { [field]: true } }, { field: `docker.${field}` }, { refused: true }),
        step('list_provisioned_services', {}, {}),
      ],
      answer: { refused: `docker.${field}` },
    }),
  };
}

/** What is built, changed, migrated and provisioned, each in a project of its own. */
export const PROJECT_TASKS = [
  buildResource,
  buildPlan,
  addFeature,
  changeTogether,
  changeMeanwhile,
  changeKeepsRows,
  changeConvention,
  migrateBackfill,
  migrateType,
  provisionOne,
  provisionDangerous,
] as const satisfies readonly ((random: Random) => ProjectTask)[];
