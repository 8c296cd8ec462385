export { asCalledHere, asProjectsCall, PROJECT_FW, fwCommand, guideCommand, howFwIsCalled } from './invocation.js';
