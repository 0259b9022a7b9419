import { requestPause } from '../../src/cohorts/requestPause';
import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { json } from '../../src/hardening/plainJson';

const tenMinutes = 600_000;

/** The pause of a service on a page, and on another page of the same browser. */
const pages = () => {
  const local = memoryStorage();
  let time = 1_000_000;
  const open = (service: string) => requestPause(service, { local, json, now: () => time });
  return { open, local, wait: (ms: number) => (time += ms) };
};

describe('requestPause', () => {
  it('lasts for ten minutes after a failed request, on later pages too', () => {
    const { open, wait } = pages();
    const pause = open('advertiser');
    expect(pause.isOn()).toBe(false);
    pause.begin();
    wait(tenMinutes - 1);
    expect([pause.isOn(), open('advertiser').isOn()]).toEqual([true, true]);
    wait(1);
    expect([pause.isOn(), open('advertiser').isOn()]).toEqual([false, false]);
  });

  it('begins anew with another failure', () => {
    const { open, wait } = pages();
    const pause = open('advertiser');
    pause.begin();
    wait(tenMinutes);
    pause.begin();
    wait(tenMinutes - 1);
    expect(pause.isOn()).toBe(true);
  });

  it('is of one service', () => {
    const { open } = pages();
    open('advertiser').begin();
    expect([open('tpdUsage').isOn(), open('constructor').isOn()]).toEqual([false, false]);
    open('tpdUsage').begin();
    expect(open('advertiser').isOn()).toBe(true);
  });

  it.each([
    ['an end too far ahead', { advertiser: 1_000_000 + tenMinutes + 1 }],
    ['an end that is no number', { advertiser: 'later' }],
    ['a list', [1_000_001]],
    ['text', 'x'],
  ])('is off where %s is stored', (_, requestPauses) => {
    const { open, local } = pages();
    local.write('permutive-data-misc', JSON.stringify({ requestPauses }));
    expect(open('advertiser').isOn()).toBe(false);
  });
});
