import { brokerName } from '../../demo/eventStream/brokerName';

it.each([
  ['nats://127.0.0.1:4222', 'nats://127.0.0.1:4222'],
  ['nats://reader:word@a:4222,tls://b,c:1', 'nats://a:4222,tls://b,c:1'],
  ['token@a:4222', 'a:4222'],
  ['nats://reader:w@rd@a', 'nats://a'],
])('names %s without what is secret', (url, name) => {
  expect(brokerName(url)).toBe(name);
});
