export {
  asCalledHere,
  asProjectsCall,
  PROJECT_FW,
  fwCommand,
  guideCommand,
  howFwIsCalled,
  type StartOfBundle,
  type Surroundings,
} from './invocation.js';
