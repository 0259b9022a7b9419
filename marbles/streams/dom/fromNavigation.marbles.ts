import type { Listen } from '../../../src/platform/platform';
import { fromNavigation } from '../../../src/streams/dom/fromNavigation';
import { marble } from '../../support/marbles';

/** What the browser says of a navigation. */
const to = (url: string, sameDocument = false, downloadRequest: string | null = null) => ({
  destination: { url, sameDocument },
  downloadRequest,
});
const navigations = {
  a: to('https://site.example/next'),
  o: to('http://other.example/'),
  h: to('https://site.example/#part', true),
  d: to('https://site.example/report', false, ''),
  m: to('mailto:reader@site.example'),
  /** An event of the page's own. */
  x: {},
};

describe('fromNavigation', () => {
  marble('tells that another document is asked for, in the next task', ({ hot, expectObservable }) => {
    const navigate$ = hot('-a--o--', navigations);
    const expected = '     -a--o--';
    const listen: Listen = (target, type) => (`${target} ${type}` === 'navigation navigate' ? navigate$ : hot('-'));
    const told: string[] = [];
    navigate$.subscribe(() => told.push('heard'));
    fromNavigation(listen).subscribe(() => told.push('told'));
    navigate$.subscribe(() => told.push('over'));
    expectObservable(fromNavigation(listen)).toBe(expected, navigations);
  });

  marble('tells nothing where there is no such thing to listen to', ({ cold, expectObservable }) => {
    expectObservable(fromNavigation(() => cold('#'))).toBe('|');
  });

  marble('tells nothing of parts of the page, downloads, mails and events of the page', ({ hot, expectObservable }) => {
    expectObservable(fromNavigation(() => hot('hdmx', navigations))).toBe('');
  });
});
