export {
  asCalledHere,
  asProjectsCall,
  PROJECT_FW,
  FW_PLACEHOLDER,
  fwCommand,
  guideCommand,
  howFwIsCalled,
  type StartOfBundle,
  type Surroundings,
} from './invocation.js';
