import { fwError, Type } from '../../../../kernel/index.js';
import { Anything, optional, optionalText, Text } from '../../../../kernel/schema/index.js';
import { GENERATION_ERRORS } from '../../generation/index.js';
import { type ProjectDocument, readDocument } from '../../knowledge/index.js';
import { checkedImageTag, checkedName, refused } from './values.js';

/** Description of one service, in provision_service and in each element of provision_fleet. */
export const ServiceInput = {
  name: Text,
  config: optional(Type.Record(Text, Anything, { description: 'see fw_describe_schema' })),
  config_yaml: optional(Text),
  template: optionalText('api or minimal'),
};

/** A checked request for one service. */
export interface ServiceRequest {
  readonly name: string;
  readonly template: string;
  readonly document: ProjectDocument;
}

interface GivenService {
  readonly name: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly config_yaml?: string;
  readonly template?: string;
}

/**
 * Checks the description of one service.
 * @param field - its path, for refusals: `name`, `services[1].name`
 * @throws FwError `FW_PROVISION_VALUE`, `FW_TOOLS_DOCUMENT`, `FW_TOOLS_DOCUMENT_INVALID`
 */
export async function readService(given: GivenService, field = 'name'): Promise<ServiceRequest> {
  const name = checkedName(field, given.name.trim());
  const template = given.template?.trim() || 'api';
  // Imported on demand, because the generators load the compiler, which a server does not need to list its tools.
  const { TEMPLATES } = await import('../../../../codegen/schematics/index.js');
  if (!(TEMPLATES as readonly string[]).includes(template)) {
    throw refused(field.replace(/name$/, 'template'), template, TEMPLATES.join(' or '));
  }
  const { document, errors } = await readDocument(given);
  if (errors.length > 0) throw fwError(GENERATION_ERRORS.FW_TOOLS_DOCUMENT_INVALID, { problems: errors.join('; ') });
  return { name, template, document };
}

/** Default image of a service. */
export function defaultImage(name: string, field = 'name'): string {
  try {
    return checkedImageTag('image_tag', `fw-provisioned/${name}:latest`);
  } catch {
    throw refused(
      field,
      name,
      'lower-case words joined by single ".", "_" or "-", because the image is named after it; or give docker.image_tag',
    );
  }
}

/** Default container of a service. */
export function defaultContainer(name: string): string {
  return `fw-${name}`;
}
