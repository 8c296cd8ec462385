export {
  asCalledHere,
  asProjectsCall,
  FW_OF_PROJECT,
  FW_PLACEHOLDER,
  fwCommand,
  howFwIsCalled,
  type StartOfBundle,
  type Surroundings,
} from './invocation.js';
