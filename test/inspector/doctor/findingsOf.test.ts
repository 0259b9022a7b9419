import { type Facts, findingsOf } from '../../../src/inspector/doctor/doctor';
import { known, unknown } from '../../../src/model/answered';
import type { Finding } from '../../../src/model/finding';

const puid = { place: 'page', key: 'puid', values: ['u-1'] };
/** A page on which everything is as it should be. */
const healthy: Facts = {
  tag: {
    version: 'v1.2.3',
    workspace: 'w-1',
    namedWorkspace: 'w-1',
    isBound: true,
    hasQueue: true,
    missingMethods: [],
    form: 'workspace',
    bundles: 1,
    isBundleFirst: false,
    isLoaded: true,
  },
  consent: {
    isRequired: false,
    answer: 'none',
    tcf: 'decided',
    disclosure: 'some',
    isGpc: false,
    gpp: 'none',
    usp: 'none',
    around: [],
  },
  storage: { hasLocal: true, unstored: [], indexedDb: 'usable', used: 0.1, isEmbedded: false },
  engine: { isWorkerRefused: false, isOnPage: false, isEvaluated: true, isUnread: false, waiting: known(0) },
  network: { isOnline: true, violations: [], failed: [], isChunkMissing: false, clockAhead: 900 },
  addons: { started: ['web'], unknown: [] },
  partners: {
    google: { state: 'ready', isWanted: true, loadedAt: 120.4 },
    appnexus: { state: 'absent', isWanted: false, loadedAt: undefined },
    prebid: { state: 'absent', isWanted: false, loadedAt: undefined },
    hasCompanionTag: true,
    keyValues: [{ place: 'page', key: 'permutive', values: ['20401', '20402'] }, puid],
  },
  adRequests: {
    workspace: 'w-1',
    isCompanionWanted: true,
    hasCompanion: true,
    isCompanionFirst: false,
    late: [],
    erased: [],
    consentModules: [],
  },
  experiment: undefined,
};
/** A first request that could have carried codes of the last page, and carried none. */
const late = {
  partner: 'google',
  bidder: 'Google',
  slot: '/1/first',
  byMs: 340,
  isAvoidable: true,
  isPartly: false,
  others: 0,
} as const;

/** A later request that something has taken codes or entries out of. */
const erased = {
  partner: 'google',
  bidder: 'Google',
  slot: '/1/first',
  at: 5300,
  erasedCodes: ['20111', '20401'],
  erasedEntries: [],
} as const;
const erasedBid = { ...erased, partner: 'prebid', bidder: 'openx', slot: 'top' } as const;

type Changes = { readonly [Part in Exclude<keyof Facts, 'experiment'>]?: Partial<Facts[Part]> };
const withChanges = (changes: Changes): Facts => ({
  tag: { ...healthy.tag, ...changes.tag },
  consent: { ...healthy.consent, ...changes.consent },
  storage: { ...healthy.storage, ...changes.storage },
  engine: { ...healthy.engine, ...changes.engine },
  network: { ...healthy.network, ...changes.network },
  addons: { ...healthy.addons, ...changes.addons },
  partners: { ...healthy.partners, ...changes.partners },
  adRequests: { ...healthy.adRequests, ...changes.adRequests },
  experiment: healthy.experiment,
});
const inShort = ({ severity, where, finding }: Finding): string => `${severity} ${where}: ${finding}`;
const usual = findingsOf(healthy).map(inShort);
/** What is found beside what is found on every page. */
const found = (changes: Changes): readonly string[] =>
  findingsOf(withChanges(changes))
    .map(inShort)
    .filter((text) => !usual.includes(text));

describe('findingsOf', () => {
  it('finds nothing wrong on a healthy page', () => {
    expect(usual).toEqual([
      'info sdk: The SDK is version v1.2.3, built for the workspace w-1',
      'info partners: Google Publisher Tag is on the page, loaded 120 ms after it began',
    ]);
  });

  const wrong: readonly (readonly [changes: Changes, finding: string])[] = [
    [{ tag: { isBundleFirst: true } }, 'warning tag: The script of the bundle stands before the tag'],
    [{ tag: { bundles: 2 } }, 'warning tag: The page includes the bundle 2 times'],
    [{ tag: { hasQueue: false } }, 'warning tag: The tag has no queue'],
    [{ tag: { missingMethods: ['query', 'user'] } }, 'warning tag: The tag lacks methods: query, user'],
    [
      { tag: { form: 'project' } },
      'info tag: The tag is of an older form, which names the project and not the workspace',
    ],
    [{ tag: { form: 'neither' } }, 'info tag: The tag is of an older form, which does not name the workspace'],
    [{ tag: { namedWorkspace: 'w-2' } }, 'error tag: The tag names the workspace w-2, but the bundle is that of w-1'],
    [{ tag: { isBound: false } }, 'warning tag: The SDK has not put its methods in place yet'],
    [{ tag: { isLoaded: false } }, 'info page: The page is still loading'],
    [{ consent: { isRequired: true } }, 'error consent: Consent is required, and the page has not given it'],
    [{ consent: { answer: 'refused' } }, 'warning consent: The visitor has refused, so that nothing runs'],
    [
      { consent: { tcf: 'none' } },
      'info consent: The page, and the windows around it, have no consent platform of the TCF, so that vendors are looked up without it',
    ],
    [
      { consent: { tcf: 'silent' } },
      'warning consent: The consent platform of the TCF has left its stub, and does not answer',
    ],
    [
      { consent: { disclosure: 'unsaid' } },
      'warning consent: The consent platform of the TCF does not say which vendors the visitor was shown',
    ],
    [
      { consent: { disclosure: 'none' } },
      'warning consent: The consent platform of the TCF says that the visitor was shown no vendor, so that no vendor is told anything',
    ],
    [{ consent: { tcf: 'undecided' } }, 'info consent: The visitor has not decided in the consent platform of the TCF'],
    [
      { consent: { isGpc: true, usp: 'optedOut' } },
      'info consent: The visitor has opted out of sharing, by Global Privacy Control and US Privacy',
    ],
    [
      { consent: { around: ['the TCF', 'GPP'] } },
      'info consent: The page is in a frame, and a window around it has the platform of the TCF and GPP',
    ],
    [{ consent: { gpp: 'optedOut' } }, 'info consent: The visitor has opted out of sharing, by GPP'],
    [{ consent: { gpp: 'undecided' } }, 'warning consent: The platform of GPP is on the page and has not answered'],
    [{ consent: { usp: 'silent' } }, 'warning consent: The platform of US Privacy is on the page and has not answered'],
    [{ storage: { hasLocal: false } }, 'error storage: The browser does not give the page local storage'],
    [
      { storage: { unstored: ['permutive-app'] } },
      'error storage: Local storage has no room: permutive-app are kept for this page only',
    ],
    [{ storage: { indexedDb: 'missing' } }, 'warning storage: The browser has no IndexedDB'],
    [{ storage: { indexedDb: 'refused' } }, 'warning storage: The browser does not let the page use IndexedDB'],
    [{ storage: { used: 0.96 } }, 'warning storage: The space of the origin is 96 % full'],
    [{ storage: { isEmbedded: true } }, 'warning storage: The page is in a frame of another site'],
    [
      { engine: { isWorkerRefused: true, isOnPage: true } },
      'warning worker: The policy of the page refuses the worker, so that queries are evaluated on the page',
    ],
    [
      { network: { violations: [{ directive: 'worker-src', blocked: 'blob' }] } },
      'warning worker: The policy of the page refuses the worker, so that queries are evaluated on the page',
    ],
    [
      { engine: { isOnPage: true } },
      'warning worker: The worker has failed, so that queries are evaluated on the page',
    ],
    [
      { engine: { isEvaluated: false, isUnread: true } },
      "error storage: The visitor's history could not be read yet, so that the cohorts are those of the last page",
    ],
    [{ engine: { isEvaluated: false } }, 'error worker: The queries have not been evaluated on this page'],
    [{ engine: { waiting: known(1) } }, 'info worker: 1 event waits to be counted'],
    [{ engine: { waiting: unknown } }, 'info worker: It is unknown how many events wait to be counted'],
    [
      {
        network: { violations: [{ directive: 'connect-src', blocked: 'https://api.permutive.com/v2.0/batch/events' }] },
      },
      'error policy: The policy of the page refuses https://api.permutive.com/v2.0/batch/events by connect-src',
    ],
    [
      { network: { failed: [{ host: 'api.permutive.com', status: 0 }] } },
      'error network: Requests to api.permutive.com get no answer',
    ],
    [
      { network: { failed: [{ host: 'api.permutive.com', status: 403 }] } },
      'warning network: Requests to api.permutive.com are answered with status 403',
    ],
    [
      { network: { isChunkMissing: true } },
      'error network: The deferred chunk could not be loaded, so that only the first addons run',
    ],
    [{ network: { isOnline: false } }, 'warning network: The browser has no network'],
    [{ network: { clockAhead: 90_000 } }, 'warning clock: The clock of this device is 90 s ahead of the server’s'],
    [{ network: { clockAhead: -3_600_000 } }, 'warning clock: The clock of this device is 3600 s behind the server’s'],
    [
      { addons: { started: ['dfp'] } },
      'error addons: The page has not called permutive.addon for web, so it has no Pageview',
    ],
    [
      { addons: { unknown: ['facebok'] } },
      'warning addons: The page starts the addon facebok, which the project does not have',
    ],
    [
      { partners: { google: { state: 'absent', isWanted: true, loadedAt: undefined } } },
      'warning partners: Google Publisher Tag is configured in the project, and is not on the page',
    ],
    [
      { partners: { google: { state: 'waiting', isWanted: true, loadedAt: undefined } } },
      'warning partners: Google Publisher Tag has its queue on the page, and has not loaded',
    ],
    [
      { partners: { appnexus: { state: 'absent', isWanted: true, loadedAt: undefined } } },
      'info partners: The seller tag of AppNexus is configured in the project, and is not on the page',
    ],
    [
      { partners: { prebid: { state: 'absent', isWanted: true, loadedAt: undefined } } },
      'info partners: Prebid is configured in the project, and is not on the page',
    ],
    [
      { partners: { keyValues: [puid, { place: 'page', key: 'a'.repeat(21), values: ['1'] }] } },
      `warning key values: The key ${'a'.repeat(21)} of page has more than 20 characters`,
    ],
    [
      { partners: { keyValues: [puid, { place: 'ad-mpu', key: 'permutive', values: ['1', 'b'.repeat(41)] }] } },
      'warning key values: 1 of the values of permutive of ad-mpu have more than 40 characters',
    ],
    [
      { partners: { keyValues: [puid, { place: 'page', key: 'k', values: Array<string>(1400).fill('20401') }] } },
      'warning key values: The key values of page have 8411 characters together',
    ],
    [
      { partners: { keyValues: [] } },
      'warning key values: Google’s tag lacks the page-level key puid, so that its ad requests carry no cohorts',
    ],
    [
      { partners: { keyValues: [{ ...puid, place: 'ad-mpu' }] } },
      'warning key values: Google’s tag lacks the page-level key puid, so that its ad requests carry no cohorts',
    ],
    [
      { adRequests: { hasCompanion: false } },
      'warning ad requests: The companion is missing, so that ad requests carry no cohorts until the SDK has loaded',
    ],
    [
      { adRequests: { isCompanionFirst: true } },
      'warning ad requests: The companion stands before the tag, finds none and does nothing',
    ],
    [
      { adRequests: { late: [late] } },
      'warning ad requests: Codes came 340 ms after the first request of slot /1/first',
    ],
    [
      { adRequests: { late: [{ ...late, isPartly: true, others: 2 }] } },
      'warning ad requests: More codes came 340 ms after the first request of slot /1/first, and after those of 2 more',
    ],
    [
      { adRequests: { late: [{ ...late, slot: '', byMs: undefined }] } },
      'warning ad requests: Codes were missing in the first request of slot without a name',
    ],
    [
      { adRequests: { late: [{ ...late, partner: 'prebid', bidder: 'openx', slot: 'top' }] } },
      'warning ad requests: Codes came 340 ms after the first request of openx for slot top',
    ],
    [
      { adRequests: { late: [{ ...late, isAvoidable: false }] } },
      'info ad requests: Codes came 340 ms after the first request of slot /1/first: nothing was stored of the visitor before',
    ],
    [
      { adRequests: { erased: [erased] } },
      'warning ad requests: The request of slot /1/first at 5300 ms lacks codes that an earlier one had: 20111, 20401',
    ],
    [
      { adRequests: { erased: [{ ...erased, erasedCodes: [], erasedEntries: ['4:1', '4:2', '4:3', '4:4', '4:5'] }] } },
      'warning ad requests: The request of slot /1/first at 5300 ms lacks entries of taxonomies that an earlier one had: 4:1, 4:2, 4:3, 4:4, 4:5',
    ],
    [
      { adRequests: { erased: [{ ...erasedBid, erasedCodes: ['1', '2', '3', '4', '5', '6', '7'] }] } },
      'warning ad requests: The request of openx for slot top at 5300 ms lacks codes that an earlier one had: 1, 2, 3, 4, 5 and 2 more',
    ],
    [
      { adRequests: { erased: [{ ...erasedBid, erasedCodes: [], erasedEntries: ['4:364'] }] } },
      'warning ad requests: The request of openx for slot top at 5300 ms lacks entries of taxonomies that another one had: 4:364',
    ],
  ];

  it('names the modules that may have taken out what a bidder lacks, and says how scripts get along', () => {
    const fixOf = (request: Facts['adRequests']['erased'][number], consentModules: string[] = []) =>
      findingsOf(withChanges({ adRequests: { erased: [request], consentModules } }))
        .filter(({ where }) => where === 'ad requests')
        .map(({ fix }) => fix);
    const ofEntries = { erasedCodes: [], erasedEntries: ['4:364'] };
    expect(fixOf(erased)).toEqual([expect.stringMatching(/^Another script has set the key permutive/)]);
    expect(fixOf({ ...erased, ...ofEntries })).toEqual([
      expect.stringMatching(/^Another script has set publisher provided signals/),
    ]);
    expect(fixOf(erasedBid)).toEqual([expect.stringMatching(/^Prebid’s module permutiveRtdProvider .* have them\.$/)]);
    expect(fixOf({ ...erasedBid, ...ofEntries }, ['tcfControl', 'gppControl_usnat'])).toEqual([
      expect.stringMatching(/^A module of Prebid .* This page has tcfControl, gppControl_usnat\.$/),
    ]);
  });

  it.each(wrong.map(([changes, finding]) => [finding, changes] as const))('says “%s”', (finding, changes) => {
    expect(found(changes)).toEqual([finding]);
  });

  it('says nothing of a companion that no ad tag needs, nor of codes that came up on the page', () => {
    expect(found({ adRequests: { hasCompanion: false, isCompanionWanted: false } })).toEqual([]);
    expect(found({ adRequests: { late: [{ ...late, isAvoidable: false, isPartly: true }] } })).toEqual([]);
  });

  it('misses no key of Google’s tag without consent, without the tag, or without the addon', () => {
    const keyValues: Facts['partners']['keyValues'] = [];
    const missed = (changes: Changes): boolean => found(changes).some((text) => text.includes('puid'));
    const { google } = healthy.partners;
    expect(missed({ partners: { keyValues } })).toBe(true);
    expect(missed({ partners: { keyValues }, consent: { isRequired: true } })).toBe(false);
    expect(missed({ partners: { keyValues }, consent: { answer: 'refused' } })).toBe(false);
    expect(missed({ partners: { keyValues, google: { ...google, state: 'waiting' } } })).toBe(false);
    expect(missed({ partners: { keyValues, google: { ...google, isWanted: false } } })).toBe(false);
  });

  it('tells where the companion belongs, as far as it is there', () => {
    const fixOf = (hasCompanion: boolean): readonly string[] =>
      findingsOf(withChanges({ adRequests: { hasCompanion, late: [late] } }))
        .filter(({ where }) => where === 'ad requests')
        .map(({ fix }) => fix);
    expect(fixOf(true)).toEqual([
      expect.stringMatching(/^Put the companion before the first script that asks for ads/),
    ]);
    expect(fixOf(false)).toEqual([
      expect.stringContaining('dist/w-1-companion.js'),
      expect.stringMatching(/^Put the companion into the page/),
    ]);
  });

  it('does not miss methods of a page that waits for consent', () => {
    expect(found({ tag: { isBound: false }, consent: { isRequired: true }, addons: { started: [] } })).toEqual([
      'error consent: Consent is required, and the page has not given it',
    ]);
  });

  it('gives a fix with everything that is wrong, and puts the worst first', () => {
    const findings = findingsOf(
      withChanges({
        tag: { bundles: 2, namedWorkspace: 'w-2' },
        consent: { tcf: 'none', isRequired: true },
        storage: { isEmbedded: true },
      }),
    );
    expect(findings.map(({ severity }) => severity)).toEqual([
      'error',
      'error',
      'warning',
      'warning',
      'info',
      'info',
      'info',
    ]);
    expect(findings.filter(({ severity, fix }) => severity !== 'info' && fix === '')).toEqual([]);
  });
});
