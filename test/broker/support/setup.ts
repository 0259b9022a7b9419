import { ensureNatsServer } from './natsServer';

/** Once before all tests with a broker: there is one. */
export default ensureNatsServer;
