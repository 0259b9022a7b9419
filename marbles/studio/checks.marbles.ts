import { map, throwError, timer } from 'rxjs';

import { checks, pauseMs } from '../../studio/page/make/useCheck';
import type { Server } from '../../studio/page/state/ask';
import { marble } from '../support/marbles';

/** A server that takes as many ms for an answer as the definition says, and answers with them. */
const slow = ((_name: string, { definition }: { readonly definition: { readonly ms: number } }) =>
  timer(definition.ms).pipe(
    map(() => ({
      findings: [{ path: '', severity: 'error', message: String(definition.ms), fix: '' }],
      cost: undefined,
    })),
  )) as unknown as Server['ask'];
const text = (ms: number): readonly [string, string] => ['1', JSON.stringify({ ms })];

describe('Texts that are checked', () => {
  marble('are asked about once nobody has typed for a while', ({ hot, expectObservable }) => {
    const texts$ = hot('a 99ms b', { a: text(10), b: text(20) });
    const expected = `a 99ms b ${pauseMs + 20 - 1}ms c`;
    const said$ = checks(texts$, slow).pipe(map(({ state, findings }) => [state, findings[0]?.message]));
    expectObservable(said$).toBe(expected, {
      a: ['waiting', undefined],
      b: ['waiting', undefined],
      c: ['checked', '20'],
    });
  });

  marble('never get the answer of an older text, however late it comes', ({ hot, expectObservable }) => {
    const texts$ = hot('a 399ms b', { a: text(500), b: text(10) });
    const expected = `a 399ms b ${pauseMs + 10 - 1}ms c`;
    expectObservable(checks(texts$, slow).pipe(map(({ text: of, state }) => [of, state]))).toBe(expected, {
      a: [text(500)[1], 'waiting'],
      b: [text(10)[1], 'waiting'],
      c: [text(10)[1], 'checked'],
    });
  });

  marble('are no JSON at once, and the server is not asked', ({ hot, expectObservable }) => {
    const texts$ = hot('a', { a: ['1', '{'] as const });
    const unasked = (() => throwError(() => new Error('asked'))) as Server['ask'];
    expectObservable(checks(texts$, unasked).pipe(map(({ state, findings }) => [state, findings.length]))).toBe('a', {
      a: ['checked', 1],
    });
  });

  marble('go on after a server that does not answer', ({ hot, expectObservable }) => {
    const texts$ = hot('a 499ms b', { a: text(1), b: text(2) });
    let calls = 0;
    const once = ((...args: Parameters<Server['ask']>) =>
      calls++ === 0 ? throwError(() => new Error('gone')) : slow(...args)) as Server['ask'];
    const expected = `a ${pauseMs - 1}ms x ${499 - pauseMs}ms b ${pauseMs + 2 - 1}ms c`;
    expectObservable(checks(texts$, once).pipe(map(({ state }) => state))).toBe(expected, {
      a: 'waiting',
      x: 'failed',
      b: 'waiting',
      c: 'checked',
    });
  });
});
