import { json } from '../../src/hardening/plainJson';
import { newestEvents } from '../../src/visit/newestEvents';
import { eventOf } from '../support/events';

const events = Array.from({ length: 50 }, (_, i) => eventOf(String(i)));
const large = events.map((event) => ({ ...event, properties: { text: 'x'.repeat(46_000) } }));

describe('the newest events', () => {
  it('are as many as are wanted', () => {
    expect(newestEvents(events, 3, json)).toEqual(events.slice(-3));
    expect(newestEvents(events, 1000, json)).toEqual(events);
    expect(newestEvents([], 3, json)).toEqual([]);
  });

  it('are at most a million characters', () => {
    const newest = newestEvents(large, 1000, json);
    expect(newest).toEqual(large.slice(-21));
    expect(json.stringify(newest).length).toBeLessThan(1_000_000);
  });
});
