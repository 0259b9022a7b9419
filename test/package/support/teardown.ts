import { removeConsumer } from './setup';

export default removeConsumer;
