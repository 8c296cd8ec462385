import type { Prompt, PromptArgument } from './prompt.js';

const url: PromptArgument = {
  name: 'service_url',
  description: 'base URL of the application; without it the one that runs in the workspace',
};
const aggregator: PromptArgument = {
  name: 'aggregator_url',
  description: 'address of the Fleet Aggregator; without it the one that runs in the workspace',
};
const model: PromptArgument = {
  name: 'model',
  description: 'model to change, e.g. Order',
  required: true,
  values: { tool: 'fw_explain_project', at: 'models/name' },
};

/** Where something runs, as a sentence; empty where the tools find it by themselves. */
const at = (what: string, address: string | undefined): string => (address === undefined ? '' : ` ${what} ${address}.`);

const steps = (...lines: readonly string[]): string => lines.map((line, index) => `${index + 1}. ${line}`).join('\n');

/** The prompts that the server offers, sorted by name. */
export const USUAL_TASKS: readonly Prompt[] = [
  {
    name: 'add_feature',
    title: 'Add a feature',
    description: 'Wire one of the features of the framework into the project',
    arguments: [
      {
        name: 'feature',
        description: 'name of a feature, e.g. jwt',
        required: true,
        values: { tool: 'fw_features', at: 'features/name' },
      },
    ],
    tools: ['fw_features', 'fw_search_llms_txt', 'fw_add', 'fw_verify_project'],
    text: (given) =>
      `Add the feature ${given('feature')} to this project.\n${steps(
        'fw_features with that feature: its flags and their defaults.',
        'fw_search_llms_txt for what the application has to do with it, if anything.',
        'fw_add with the flags that are needed, and with no others.',
        'fw_verify_project; mend what it finds.',
      )}`,
  },
  {
    name: 'build_service',
    title: 'Build a service',
    description: 'Make a new project, with models and routes, that passes its checks',
    arguments: [
      { name: 'name', description: 'name of the project', required: true },
      { name: 'purpose', description: 'what it is for, in a sentence', required: true },
    ],
    tools: ['fw_describe_schema', 'fw_plan_project', 'fw_new', 'fw_generate', 'fw_verify_project'],
    further: ['fw_install'],
    text: (given, has) =>
      `Build a service named ${given('name')}. It is for: ${given('purpose')}.\n${steps(
        'fw_describe_schema, then fw_plan_project with a config that has its features, models and routes; ask about what is open.',
        `fw_new with the same config.${has('fw_install') ? ' Then fw_install, once the package of the framework is there.' : ''}`,
        'fw_generate for what the config cannot say: handlers, middleware, jobs.',
        'fw_verify_project; mend what it finds, until it is ok.',
      )}`,
  },
  {
    name: 'change_model',
    title: 'Change a model',
    description: 'Change the fields of a model, with the migration that keeps its rows',
    arguments: [model, { name: 'change', description: 'what is to be different', required: true }],
    tools: ['fw_explain_project', 'fw_search_llms_txt', 'fw_generate', 'fw_verify_project'],
    further: ['fw_write_migration', 'fw_migrate'],
    text: (given, has) =>
      `Change the model ${given('model')}: ${given('change')}. Its table has rows that must stay right.\n${steps(
        'fw_explain_project: the fields, the table and the file of the model, and whether the project has migrations.',
        'fw_search_llms_txt for the types and rules of fields, and for backfills in migrations.',
        `Change the model; ${
          has('fw_write_migration')
            ? 'fw_write_migration writes the migration of its table'
            : 'fw_generate with kind migration makes the file for its table'
        }. A column that is required needs a value for the rows that are there: fill it in between.${
          has('fw_migrate') ? ' Then fw_migrate applies it.' : ''
        }`,
        'fw_verify_project; mend what it finds.',
      )}`,
  },
  {
    name: 'explain_incident',
    title: 'Explain an incident',
    description: 'Find which service caused a failure that others only passed on',
    arguments: [aggregator, { name: 'trace_id', description: '32 hex digits, when it is known' }],
    tools: ['fw_get_traces', 'fw_explain_incident', 'fw_get_contract_violations'],
    text: (given) =>
      `Find the service, and the call in it, where the failure began.${at('The aggregator is at', given('aggregator_url'))}${at('The trace is', given('trace_id'))}\n${steps(
        'Without a trace id: fw_get_traces with status error, newest first.',
        'fw_explain_incident with the trace id.',
        'fw_get_contract_violations for the services that it names: who sends what the other does not expect?',
        'Say the cause in one sentence, with the evidence; name what you could not see.',
      )}`,
  },
  {
    name: 'find_cause',
    title: 'Find the cause of an error',
    description: 'From a failing request of a running application to the line that causes it',
    arguments: [url, { name: 'symptom', description: 'what was seen, e.g. POST /orders answers 500', required: true }],
    tools: ['fw_get_recent_errors', 'fw_get_logs', 'fw_simulate_request'],
    text: (given) =>
      `Find the cause of this: ${given('symptom')}.${at('The application runs at', given('service_url'))}\n${steps(
        'fw_get_recent_errors: is the cause, with its file and line, there already?',
        'Else fw_get_logs with level error, or with a text of the symptom.',
        'Else fw_simulate_request with the request of the symptom, when sending it again does no harm.',
        'Read the source at the line that was named. Say the cause in one sentence, then propose the smallest change.',
      )}`,
  },
  {
    name: 'find_slowness',
    title: 'Find what is slow',
    description: 'From slow requests of a running application to the statement or the call that costs the time',
    arguments: [url],
    tools: ['fw_get_routes', 'fw_get_performance', 'fw_search_llms_txt'],
    text: (given) =>
      `Find what makes requests of the application slow.${at('It runs at', given('service_url'))}\n${steps(
        'fw_get_routes: which routes take long, and how many statements do they need?',
        'fw_get_performance: is it the event loop, the memory or the database?',
        'fw_search_llms_txt for the remedy: preload for many statements of one kind, an index, a page instead of all rows.',
        'Say which route, why, and the smallest change.',
      )}`,
  },
  {
    name: 'provision_services',
    title: 'Provision services',
    description: 'Build and start services in containers, traced by one aggregator when there are several',
    arguments: [{ name: 'services', description: 'their names, separated by commas', required: true }],
    tools: ['fw_describe_schema', 'list_provisioned_services', 'provision_service', 'provision_fleet'],
    text: (given) =>
      `Provision these services in containers: ${given('services')}.\n${steps(
        'list_provisioned_services: what runs already?',
        'fw_describe_schema for the config of each.',
        'provision_service for one, provision_fleet for several that call each other. The tokens in the answer are shown this once.',
        'Say the addresses, and what each is for.',
      )}`,
  },
  {
    name: 'review_project',
    title: 'Review a project',
    description: 'Types, lint, tests, conventions and what is missing, worst first',
    arguments: [],
    tools: ['fw_verify_project', 'fw_check_idioms', 'fw_suggest_next_steps'],
    text: () =>
      `Review this project.\n${steps(
        'fw_verify_project: types, lint and tests.',
        'fw_check_idioms: each finding has its remedy.',
        'fw_suggest_next_steps: gaps between models, routes, migrations and documentation.',
        'List what matters, worst first, with file and line; change nothing before you are asked to.',
      )}`,
  },
];
