import { NetworkError } from '../../src/model/errors';
import type { Measured } from '../../src/model/metric';
import { telemetryBus } from '../../src/telemetry/telemetryBus';

const listening = () => {
  const own = telemetryBus();
  const measured: Measured[] = [];
  own.measured$.subscribe((one) => measured.push(one));
  const hear = (): { readonly messages: string[]; readonly stop: () => void } => {
    const messages: string[] = [];
    const hearing = own.reportsSoFar().subscribe(({ message }) => messages.push(message));
    return { messages, stop: () => hearing.unsubscribe() };
  };
  return { ...own, measured, hear };
};

describe('selfReports', () => {
  it('keeps what was reported before anybody asked, for the first who asks', () => {
    const { report, hear } = listening();
    report('a', undefined);
    const first = hear();
    report('b', undefined);
    first.stop();
    report('c', undefined);
    const second = hear();
    report('d', undefined);
    expect([first.messages, second.messages]).toEqual([['a', 'b'], ['d']]);
  });

  it('keeps so many', () => {
    const { report, hear } = listening();
    for (let i = 0; i < 1000; i += 1) report(String(i), undefined);
    expect(hear().messages).toHaveLength(50);
  });

  it.each([
    ['Error sending events batch', new NetworkError('failed'), 'failed'],
    ['Error fetching geoip', new NetworkError('timeout'), 'timeout'],
    ['Error sending state delta. Got Network request timed out', new NetworkError('timeout'), 'timeout'],
  ])('counts %s instead of reporting it', (message, cause, network_error_type) => {
    const { report, hear, measured } = listening();
    const { messages } = hear();
    report(message, cause);
    expect(messages).toEqual([]);
    expect(measured).toEqual([
      {
        type: 'metrics',
        metrics: [
          { name: 'sdk_http_generic_network_request_fail_count_total', value: 1, labels: { network_error_type } },
        ],
      },
    ]);
  });

  it.each([
    ['an error that only reads as one of the network', 'No', new Error('Network request failed')],
    ['a message that only reads so', 'Network request timed out', undefined],
  ])('reports %s', (_, message, cause) => {
    const { report, hear, measured } = listening();
    report(message, cause);
    expect(hear().messages).toEqual([message]);
    expect(measured).toEqual([]);
  });
});
