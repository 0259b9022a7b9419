import { mergeMap, NEVER, Subject, throwError } from 'rxjs';

import { countedHttp } from '../../src/endpoints/countedHttp';
import type { HttpAnswer, HttpRequest } from '../../src/platform/platform';

const request: HttpRequest = {
  method: 'GET',
  url: 'https://api.example/',
  responseType: 'json',
  credentials: false,
  keepalive: false,
};

/** Requests whose answers a test gives, and what has been said of them. */
const world = (send: () => ReturnType<Parameters<typeof countedHttp>[0]['send']>) => {
  const { http, isIdle$ } = countedHttp({ send, beacon: () => true });
  const said: boolean[] = [];
  isIdle$.subscribe((isIdle) => said.push(isIdle));
  return { http, said };
};

describe('countedHttp', () => {
  it('is idle until a request is sent, and again once all are answered', () => {
    const answer$ = new Subject<HttpAnswer>();
    const { http, said } = world(() => answer$);
    const waiting$ = http.send(request);
    expect(said).toEqual([true]);
    waiting$.subscribe();
    http.send(request).subscribe();
    expect(said).toEqual([true, false]);
    answer$.complete();
    expect(said).toEqual([true, false, true]);
  });

  it('counts requests no longer that have failed or were aborted', () => {
    const failing = world(() => throwError(() => new Error('offline')));
    failing.http.send(request).subscribe({ error: () => undefined });
    expect(failing.said).toEqual([true, false, true]);
    const hanging = world(() => NEVER);
    hanging.http.send(request).subscribe().unsubscribe();
    expect(hanging.said).toEqual([true, false, true]);
  });

  it('counts the request that an answer leads to before the first one ends', () => {
    const [first$, second$] = [new Subject<HttpAnswer>(), new Subject<HttpAnswer>()];
    const answers = [first$, second$];
    const { http, said } = world(() => answers.shift() ?? NEVER);
    http
      .send(request)
      .pipe(mergeMap(() => http.send(request)))
      .subscribe();
    first$.next({ status: 200, body: '{}' });
    first$.complete();
    expect(said).toEqual([true, false]);
    second$.complete();
    expect(said).toEqual([true, false, true]);
  });
});
