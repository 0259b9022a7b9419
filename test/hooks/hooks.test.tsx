/** @jest-environment jsdom */
import { act, type ReactElement, type ReactNode, startTransition, StrictMode, useEffect, version } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { tap } from 'rxjs';

import {
  PermutiveProvider,
  useActivation,
  useCohort,
  useCohorts,
  useConsent,
  useIdentify,
  useReady,
  useTrack,
} from '../../src/hooks/react';
import type { LoadedPermutive } from '../../src/page/loadedPermutive';
import { type Setup, start, stopAll } from '../support/bootedPage';
import { engineOf } from '../support/world';

const page = window as unknown as { permutive?: object; IS_REACT_ACT_ENVIRONMENT: boolean };
page.IS_REACT_ACT_ENVIRONMENT = true;

const roots: Root[] = [];
const mount = (ui: ReactNode): { readonly text: () => string | null; readonly root: Root } => {
  const place = document.createElement('div');
  const root = createRoot(place);
  roots.push(root);
  act(() => root.render(ui));
  return { text: () => place.textContent, root };
};

/** The tag of a page, with stubs as the snippet leaves them. */
const stubbed = (): Record<string, unknown> & { readonly q: unknown[] } => {
  const tag: Record<string, unknown> & { readonly q: unknown[] } = { q: [], config: {} };
  for (const name of ['identify', 'track', 'segments', 'ready', 'on', 'consent'])
    tag[name] = (...args: readonly unknown[]) => void tag.q.push({ functionName: name, arguments: args });
  return tag;
};

/** Starts the SDK on the page’s object, as the script does when it has loaded. */
const load = (tag: Record<string, unknown>, setup: Setup = {}) => {
  page.permutive = tag;
  const dispatch = (name: string): void => void window.dispatchEvent(new CustomEvent(name));
  return start([], { project: { platformCohorts: { dfp: [8] } }, page: { dispatch }, ...setup, tag });
};

/** A loaded page whose visitor is in cohort 7. */
const loaded = (setup: Setup = {}) => {
  const sdk = load(stubbed(), setup);
  sdk.initialise();
  return { ...sdk, enter: (id: string) => act(() => engineOf(sdk.platform).enter(id)) };
};

const Shown = (): ReactElement => {
  const consent = useConsent();
  return (
    <>
      {JSON.stringify({
        ready: [useReady(), useReady('realtime')],
        cohorts: useCohorts(),
        seven: useCohort('7'),
        dfp: useActivation('dfp'),
        consent: consent.isGiven ?? null,
      })}
    </>
  );
};
const shown = (
  ready: readonly boolean[],
  cohorts: readonly number[],
  dfp: readonly (number | string)[],
  consent: boolean | null,
): string => JSON.stringify({ ready, cohorts, seven: cohorts.includes(7), dfp, consent });
const nothing = shown([false, false], [], [], null);

afterEach(() => {
  for (const root of roots.splice(0)) act(() => root.unmount());
  stopAll();
  delete page.permutive;
});

it('runs on the React that it is meant to run on', () => {
  expect(version.split('.')[0]).toBe(process.env['REACT_MAJOR'] ?? '19');
});

describe.each([
  ['', (ui: ReactElement) => ui],
  [' in StrictMode', (ui: ReactElement) => <StrictMode>{ui}</StrictMode>],
  [' under a provider', (ui: ReactElement) => <PermutiveProvider>{ui}</PermutiveProvider>],
])('The hooks%s', (_, within) => {
  it('show what a loaded SDK says, from the first effect on', () => {
    const { enter, platform } = loaded();
    const { text } = mount(within(<Shown />));
    expect(text()).toBe(shown([true, false], [7], [], true));
    enter('8');
    act(() => engineOf(platform).reachBarrier());
    expect(text()).toBe(shown([true, true], [8], [8], true));
  });

  it('wait for an SDK that loads after them', () => {
    const tag = stubbed();
    page.permutive = tag;
    const { text } = mount(within(<Shown />));
    expect(text()).toBe(nothing);
    const { initialise } = load(tag);
    act(initialise);
    expect(text()).toBe(shown([true, false], [7], [], true));
  });

  it('wait for a page’s object that arrives after them', () => {
    const { text } = mount(within(<Shown />));
    expect(text()).toBe(nothing);
    act(() => void loaded());
    expect(text()).toBe(shown([true, false], [7], [], true));
  });

  it('take an older tag that has a queue and no stubs', () => {
    const tag = { q: [], config: {} };
    page.permutive = tag;
    const { text } = mount(within(<Shown />));
    act(load(tag).initialise);
    expect(text()).toBe(shown([true, false], [7], [], true));
  });

  it.each([
    ['no SDK', undefined],
    ['a script that is blocked', stubbed()],
    ['an element of that name', document.createElement('form')],
    [
      'an object that throws',
      {
        segments: (): never => {
          throw new Error('of the page');
        },
        ready: (): never => {
          throw new Error('of the page');
        },
      },
    ],
  ])('show nothing, and do not fail, on a page with %s', (_, object) => {
    if (object !== undefined) page.permutive = object;
    expect(mount(within(<Shown />)).text()).toBe(nothing);
  });

  it('show nothing of a visitor who withdraws consent, at once', () => {
    const { invoke, enter, initialise } = loaded();
    enter('8');
    const { text } = mount(within(<Shown />));
    act(() => void invoke('consent', { opt_in: false }));
    // Who has refused is ready: nothing more is to come.
    expect(text()).toBe(shown([true, true], [], [], false));
    act(() => void invoke('consent', { opt_in: true, token: 't' }));
    act(initialise);
    expect(text()).toBe(shown([true, true], [7], [], true));
  });

  it('leave no listener and no subscription behind', () => {
    const { tag } = loaded();
    const { cohorts$ } = tag as unknown as LoadedPermutive;
    let [listeners, subscribers] = [0, 0];
    const { on } = tag as unknown as LoadedPermutive;
    tag['on'] = (...args: Parameters<typeof on>) => {
      const handle = on(...args);
      listeners += 1;
      return { ...handle, remove: () => ((listeners -= 1), handle.remove()) };
    };
    tag['cohorts$'] = cohorts$.pipe(tap({ subscribe: () => (subscribers += 1), finalize: () => (subscribers -= 1) }));
    const { root } = mount(within(<Shown />));
    expect([listeners > 0, subscribers > 0]).toEqual([true, true]);
    act(() => root.render(null));
    expect([listeners, subscribers]).toEqual([0, 0]);
  });

  it('leave no listener on the window where the SDK never came', () => {
    const listening = new Set<unknown>();
    const [add, remove] = [window.addEventListener.bind(window), window.removeEventListener.bind(window)];
    window.addEventListener = ((type: string, listener: () => void) => {
      if (type === 'permutive:ready') listening.add(listener);
      add(type, listener);
    }) as typeof window.addEventListener;
    window.removeEventListener = ((type: string, listener: () => void) => {
      listening.delete(listener);
      remove(type, listener);
    }) as typeof window.removeEventListener;
    const { root } = mount(within(<Shown />));
    const during = listening.size;
    act(() => root.render(null));
    expect([during > 0, listening.size]).toEqual([true, 0]);
    Object.assign(window, { addEventListener: add, removeEventListener: remove });
  });
});

describe('useTrack, useIdentify and useConsent', () => {
  /** Calls once, in an effect. */
  const Calls = (): ReactElement => {
    const [track, identify, { give }] = [useTrack(), useIdentify(), useConsent()];
    useEffect(() => {
      give('proof');
      identify('reader');
      track('A', { seen: true });
      track('B');
    }, [track, identify, give]);
    return <></>;
  };
  const call = (functionName: string, ...args: readonly unknown[]) => ({ functionName, arguments: args });
  const calls = [
    call('consent', { opt_in: true, token: 'proof' }),
    call('identify', 'reader'),
    call('track', 'A', { seen: true }),
    call('track', 'B'),
  ];
  const queued = (tag: { readonly q: readonly unknown[] }): readonly unknown[] =>
    tag.q.filter((one) =>
      calls.some(({ functionName }) => functionName === (one as { functionName: string }).functionName),
    );

  it('go to the SDK, each once', () => {
    const { tracked } = loaded();
    mount(<Calls />);
    expect(tracked()).toEqual(['A', 'B']);
  });

  it('are queued by the page’s stubs while the SDK loads', () => {
    const tag = stubbed();
    page.permutive = tag;
    mount(<Calls />);
    expect(queued(tag)).toEqual(calls);
  });

  it('wait for a page’s object that arrives later, and keep their order', () => {
    mount(<Calls />);
    const tag = stubbed();
    page.permutive = tag;
    expect(tag.q).toEqual([]);
    window.dispatchEvent(new CustomEvent('permutive:ready'));
    expect(queued(tag)).toEqual(calls);
  });

  it('keep the first hundred calls where the SDK never comes', () => {
    const Many = (): ReactElement => {
      const track = useTrack();
      useEffect(() => {
        for (let i = 0; i < 150; i += 1) track(`E${i}`);
      }, [track]);
      return <></>;
    };
    mount(
      <PermutiveProvider windowKey="other">
        <Many />
      </PermutiveProvider>,
    );
    const tag = stubbed();
    Object.assign(window, { other: tag });
    window.dispatchEvent(new CustomEvent('permutive:ready'));
    expect(queued(tag)).toEqual(Array.from({ length: 100 }, (_, i) => call('track', `E${i}`)));
    delete (window as unknown as { other?: object }).other;
  });

  it('are the same functions in each rendering', () => {
    const { enter } = loaded();
    const seen: unknown[][] = [];
    const Same = (): ReactElement => {
      const { give, withdraw } = useConsent();
      seen.push([useTrack(), useIdentify(), give, withdraw]);
      return <>{useCohorts().join()}</>;
    };
    mount(<Same />);
    enter('8');
    expect(seen.length).toBeGreaterThan(1);
    for (const [i, one] of seen[0]!.entries()) expect(seen.at(-1)![i]).toBe(one);
  });

  it('withdraw consent', () => {
    const { platform } = loaded();
    const Withdraws = (): ReactElement => {
      const { withdraw } = useConsent();
      useEffect(withdraw, [withdraw]);
      return <Shown />;
    };
    expect(mount(<Withdraws />).text()).toBe(shown([true, true], [], [], false));
    expect(platform.local.keys()).toEqual(['permutive-consent']);
  });
});

describe('Renderings', () => {
  it('of useCohort happen only when that cohort changes, and lists keep their identity', () => {
    const { enter } = loaded();
    const [seven, lists]: [boolean[], unknown[]] = [[], []];
    const Seven = (): ReactElement => {
      seven.push(useCohort(7));
      return <></>;
    };
    const List = (): ReactElement => {
      const codes = useCohorts('standard');
      useEffect(() => void lists.push(codes), [codes]);
      return <></>;
    };
    mount(
      <>
        <Seven />
        <List />
      </>,
    );
    expect(seven).toEqual([false, true]);
    enter('8');
    enter('9');
    enter('10');
    expect([seven, lists]).toEqual([[false, true, false], [[]]]);
  });

  it('of a component that is mounted later have the cohorts at once under a provider', () => {
    loaded();
    const first: (readonly unknown[])[] = [];
    const Late = (): ReactElement => {
      first.push(useCohorts());
      return <></>;
    };
    const { root } = mount(<PermutiveProvider />);
    act(() =>
      root.render(
        <PermutiveProvider>
          <Late />
        </PermutiveProvider>,
      ),
    );
    expect(first[0]).toEqual([7]);
  });

  it('never show two states, also where the cohorts change while React renders', () => {
    const { platform } = loaded();
    const seen: (string | null)[] = [];
    const Part = (): ReactElement => <>{`${useCohorts().join()};`}</>;
    let isChanged = false;
    const Change = (): ReactElement => {
      if (!isChanged) engineOf(platform).enter('8');
      isChanged = true;
      return <></>;
    };
    const Whole = (): ReactElement => {
      useEffect(() => void seen.push(text()));
      return (
        <>
          <Part />
          <Change />
          <Part />
        </>
      );
    };
    const { root, text } = mount(<PermutiveProvider />);
    act(() =>
      startTransition(() =>
        root.render(
          <PermutiveProvider>
            <Whole />
          </PermutiveProvider>,
        ),
      ),
    );
    expect([isChanged, [...new Set(seen)]]).toEqual([true, ['8;8;']]);
  });

  it('of a page that a server has rendered begin as the server’s, then show the visitor', () => {
    loaded();
    const place = document.createElement('div');
    place.textContent = nothing;
    const [faults, seen]: [unknown[], (string | null)[]] = [[], []];
    const First = (): ReactElement => {
      useEffect(() => void seen.push(place.textContent), []);
      return <Shown />;
    };
    act(() => void roots.push(hydrateRoot(place, <First />, { onRecoverableError: (e) => faults.push(e) })));
    expect([faults, seen[0], place.textContent]).toEqual([[], nothing, shown([true, false], [7], [], true)]);
  });

  it('follow the object that the provider is given', () => {
    const [one, other] = [load(stubbed()), load(stubbed())];
    one.initialise();
    act(() => engineOf(other.platform).initialise('8'));
    const of = ({ tag }: typeof one): ReactElement => (
      <PermutiveProvider permutive={tag}>
        <Shown />
      </PermutiveProvider>
    );
    const { text, root } = mount(of(one));
    expect(text()).toContain('"cohorts":[7]');
    act(() => root.render(of(other)));
    expect(text()).toContain('"cohorts":[8]');
  });
});
