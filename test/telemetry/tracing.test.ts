import { tracing } from '../../src/telemetry/tracing';
import { eventOf } from '../support/events';
import { settingsOf } from '../support/settings';
import { type Signal, tellerOf } from '../support/visitSignals';

const signals: readonly Signal[] = [
  { type: 'stage', stage: 'initialised' },
  { type: 'event', event: eventOf('a', { name: 'LinkClick' }) },
  { type: 'transition', transition: { id: '7', entry: true, time: 0 } },
  { type: 'transition', transition: { id: '7', entry: false, time: 0 } },
];

describe('tracing', () => {
  it.each([
    [true, ['permutive:initialised', 'permutive:event LinkClick', 'permutive:entry 7', 'permutive:exit 7']],
    [false, []],
  ])('where it is enabled (%p), marks what happens in the timeline', (tracingEnabled, expected) => {
    const marks: string[] = [];
    const observer = tracing({ setting: settingsOf({ tracingEnabled }), page: { mark: (name) => marks.push(name) } });
    tellerOf(observer).say(...signals);
    expect(marks).toEqual(expected);
  });
});
