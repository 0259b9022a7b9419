import { partFile } from '../support/bundleFile';
import { openChanged } from '../support/changedPage';
import { stageForTests } from '../support/stage';
import { until } from '../support/until';
import { untilRefused } from '../support/untilRefused';
import type { Visitor } from '../support/visitor';

/** The visitor refuses by a stub that the page has kept, in the first tasks after the SDK has taken the tag. */
const refusesByStub = `<script>
  { const { consent } = permutive, { port1, port2 } = new MessageChannel();
    let turns = 0;
    port1.onmessage = () => {
      if (permutive.version) turns += 1;
      if (turns < 3) return port2.postMessage(0);
      permutive.refusedWith = Object.hasOwn(permutive, 'context') ? 'bound' : 'unbound';
      consent({ opt_in: false });
    };
    port2.postMessage(0); }
</script>`;

describe('A refusal while the SDK starts', () => {
  const stage = stageForTests();

  const isKept = async (visitor: Visitor): Promise<void> => {
    await until(
      async () => ((await visitor.storage())['permutive-consent'] === '{"opt_in":false}' ? true : undefined),
      'the refusal',
    );
    // A stub answers undefined until the methods are bound.
    await untilRefused(visitor);
    expect(await stage.arrived('Refused')).toEqual([]);
    expect(Object.keys(await visitor.storage())).toEqual(['permutive-consent']);
  };

  test('counts where the page has kept the stub', async () => {
    const visitor = await stage.visitor();
    await openChanged(visitor, stage.demo.site, '?gpt=none', (html) => html.replace('</head>', `${refusesByStub}$&`));
    await isKept(visitor);
    expect(await visitor.page.evaluate('permutive.refusedWith')).toBe('unbound');
  });

  test('counts while the inspector loads, which a stranger’s link has asked for', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(partFile('inspector'));
    const inspector = visitor.page.waitForRequest(partFile('inspector'));
    await visitor.open('/blank?__permutive.inspector=true', 'domcontentloaded');
    await inspector;
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    expect((await visitor.storage())['permutive-consent']).toBe('{"opt_in":false}');
    release();
    await isKept(visitor);
  });
});
