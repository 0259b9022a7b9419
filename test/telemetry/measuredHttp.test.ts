import { NEVER, of, throwError } from 'rxjs';

import { NetworkError } from '../../src/model/errors';
import type { Measured } from '../../src/model/metric';
import type { HttpAnswer, HttpRequest } from '../../src/platform/platform';
import { measuredHttp } from '../../src/telemetry/measuredHttp';

const request: HttpRequest = { method: 'GET', url: 'https://api.example/a', responseType: 'json' };
const answer: HttpAnswer = { status: 204, body: '' };

const measuring = (send: () => typeof NEVER) => {
  const measured: Measured[] = [];
  let now = 0;
  const http = measuredHttp(
    { send, beacon: (url) => url === 'yes' },
    () => (now += 10),
    (one) => measured.push(one),
  );
  return { http, measured };
};

describe('countedHttp', () => {
  it('passes the answer on, and measures once', () => {
    const { http, measured } = measuring(() => of(answer) as never);
    const heard: unknown[] = [];
    http.send(request).subscribe((one) => heard.push(one));
    expect(heard).toEqual([answer]);
    expect(measured).toEqual([{ type: 'request', method: 'GET', url: request.url, status: '204', ms: 10 }]);
  });

  it('measures what fails, and what is given up', () => {
    const failing = measuring(() => throwError(() => new NetworkError('failed')));
    const heard: unknown[] = [];
    failing.http.send(request).subscribe({ error: (cause: unknown) => heard.push(cause) });
    expect(heard).toEqual([new NetworkError('failed')]);
    const hanging = measuring(() => NEVER);
    hanging.http.send(request).subscribe().unsubscribe();
    expect([failing, hanging].map(({ measured: [only] }) => only?.type === 'request' && only.status)).toEqual([
      'none',
      'none',
    ]);
  });

  it('counts beacons', () => {
    const { http, measured } = measuring(() => NEVER);
    expect([http.beacon('yes', ''), http.beacon('no', '')]).toEqual([true, false]);
    expect(measured.map((one) => one.type === 'request' && one.status)).toEqual(['beacon', 'beacon']);
  });
});
