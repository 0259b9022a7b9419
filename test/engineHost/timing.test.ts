import { type Timing, timingStream } from '../../src/engineHost/timing';

const timing = (ms: number): Timing => ({ step: 'event', ms });

describe('timingStream', () => {
  it('keeps what is measured before it is read, and passes on what is measured later, in order', () => {
    const { onTiming, timing$ } = timingStream();
    const heard: number[] = [];
    onTiming(timing(1));
    onTiming(timing(2));
    timing$.subscribe(({ ms }) => heard.push(ms));
    onTiming(timing(3));
    expect(heard).toEqual([1, 2, 3]);
  });

  it('keeps no more than 10,000', () => {
    const { onTiming, timing$ } = timingStream();
    const heard: number[] = [];
    for (let ms = 0; ms < 10_001; ms += 1) onTiming(timing(ms));
    timing$.subscribe(({ ms }) => heard.push(ms));
    expect([heard.length, heard.at(-1)]).toEqual([10_000, 9999]);
  });
});
