import { provide } from '../../../command/programs/provide';

/** Once before all tests with a broker: there is one. */
export default (): void => provide('nats-server');
