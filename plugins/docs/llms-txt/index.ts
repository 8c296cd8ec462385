export { llmsDocOf, type LLMSDoc, type LLMSSection } from './llms-doc.js';
export { LLMS_FULL, LLMS_INDEX, renderFull, renderIndex, routeHeading } from './render-llms.js';
export { shapeText } from './shape-text.js';
export { bodyDigest, readStamp, stamped } from './stamp.js';
