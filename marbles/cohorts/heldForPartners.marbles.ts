import { heldForPartners } from '../../src/cohorts/heldForPartners';
import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { marble, type MarbleHelpers } from '../support/marbles';

/** What the last page has stored: one key of each kind. */
const lastPage = { _prubicons: '["old"]', 'permutive-prebid-id': '{}', _pdfps: '["own"]', _psegs: '[1]' };

const answers = { y: true, n: false };

/** Local storage of a visit with the answers about sharing of the first diagram, in which the second one writes. */
const storageAt = (
  { cold, schedule, expectObservable }: MarbleHelpers,
  sharing: string,
  writes: string,
  actions: Readonly<Record<string, readonly [key: string, text: string]>>,
) => {
  const stored = memoryStorage(lastPage);
  const { write, remove, clearing$ } = heldForPartners(stored, cold(sharing, answers));
  expectObservable(clearing$).toBe('-');
  schedule(
    writes,
    Object.fromEntries(Object.entries(actions).map(([name, [key, text]]) => [name, () => void write(key, text)])),
  );
  return { stored, remove };
};

describe('heldForPartners', () => {
  marble('holds what is for partners until the answer is known, and then writes it', (helpers) => {
    const { stored } = storageAt(helpers, '---y', '-a', { a: ['_prubicons', '["new"]'] });
    helpers.schedule('--a', { a: () => expect(stored.all()).toEqual(lastPage) });
    helpers.flush();
    expect(stored.all()).toEqual({ ...lastPage, _prubicons: '["new"]' });
  });

  marble('clears the keys of the last page at an objection, and writes nothing more', (helpers) => {
    const { stored } = storageAt(helpers, 'n', '-a', { a: ['_pssps', '{}'] });
    helpers.flush();
    expect(stored.all()).toEqual({ _pdfps: '["own"]', _psegs: '[1]' });
  });

  marble('clears what this page has written when the objection comes later', (helpers) => {
    const { stored } = storageAt(helpers, 'y--n', '-ab', { a: ['_ppam', '["x"]'], b: ['_pdfps', '["new"]'] });
    helpers.schedule('--a', { a: () => expect(stored.read('_ppam')).toBe('["x"]') });
    helpers.flush();
    expect(stored.all()).toEqual({ _pdfps: '["new"]', _psegs: '[1]' });
  });

  marble('writes the latest text again when the objection is taken back', (helpers) => {
    const { stored } = storageAt(helpers, 'y-n-y', '-a-b', { a: ['_pfws', '["x"]'], b: ['_pfws', '["y"]'] });
    helpers.flush();
    expect(stored.read('_pfws')).toBe('["y"]');
  });

  marble('lets everything else through at once', (helpers) => {
    const { stored } = storageAt(helpers, '-', 'a', { a: ['permutive-data-misc', '{}'] });
    helpers.flush();
    expect(stored.read('permutive-data-misc')).toBe('{}');
  });

  marble('forgets a text that was removed meanwhile', (helpers) => {
    const { stored, remove } = storageAt(helpers, '--y', 'a', { a: ['_pnativo', '["x"]'] });
    helpers.schedule('-a', { a: () => remove('_pnativo') });
    helpers.flush();
    expect(stored.read('_pnativo')).toBeNull();
  });
});
