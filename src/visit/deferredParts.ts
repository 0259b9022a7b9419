// Code that is not needed at the start. The build puts it into the deferred chunk, with the addons that start later.
export { cohortServices } from '../cohorts/cohortServices';
export { fromContextual } from '../cohorts/fromContextual';
export { meets } from '../model/contextCriteria';
export { thirdPartyIdentities } from '../model/thirdPartyIdentities';
export { backlog } from '../sinks/delivery/backlog';
export { uploadRefusals } from '../sinks/delivery/refusals';
export { fromFocusLoss } from '../streams/dom/fromFocusLoss';
export { fromForms } from '../streams/dom/fromForms';
export { fromLinks } from '../streams/dom/fromLinks';
export { fromNavigation } from '../streams/dom/fromNavigation';
export { fromPageMessages } from '../streams/dom/fromPageMessages';
export { pageFilling } from '../streams/pageData/filling';
export { fromSharing } from '../streams/visitor/fromSharing';
export { fromTcf } from '../streams/visitor/fromTcf';
export { lookUpIdentities } from '../streams/visitor/identityProviders';
export { serverCalls } from './serverCalls';
