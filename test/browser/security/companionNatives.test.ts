import { readFileSync } from 'node:fs';

import { nativeCalls } from '../../../scripts/nativeCalls';
import { breakages, breakNative } from '../../support/brokenNatives';
import { builtFile } from '../support/bundleFile';
import { stageForTests } from '../support/stage';

const companion = readFileSync(builtFile('').replace('-web.js', '-companion.js'), 'utf8');
const natives = [...nativeCalls(companion).flat(), 'Array.prototype[Symbol.iterator]'];

/** Where the companion tells more than it may, each with the reason. Its bytes are in every page. */
const spared: Readonly<Record<string, string>> = {
  'Array.prototype.find answers something else': 'the ad server is told the id of nobody',
  'Date.now answers nothing': 'on a page without a clock, no code has ended',
  'String.prototype.split answers something else': 'the id in local storage counts, as where cookies are blocked',
};
const broken = natives.flatMap((native) => breakages.map((how) => [native, how] as const));

/** Ids of two users. */
const [id, other] = ['b7c1a3de-0d1f-4a52-9c52-0f6f0d9b8c11', '5f1e2c4b-6a7d-4e8f-9a0b-1c2d3e4f5a6b'];

/** What Google's tag is told. */
interface Told {
  readonly permutive?: readonly string[];
  readonly puid?: string;
}
/** What the companion may tell, by what the visitor has answered. */
const answers: readonly (readonly [answer: string, told: Told])[] = [
  ['a stored yes', { permutive: ['20111'], puid: id }],
  ['a no on the page', {}],
  ['a stored no', {}],
  ['a yes of another user', { puid: other }],
];

/** A page with the companion and a queue of Google's tag, where something is broken before the companion runs. */
const pageWith = (answer: string, breaking: string): string => `<!doctype html><script>
  const answer = ${JSON.stringify(answer)};
  document.cookie = 'permutive-id=' + (answer.includes('another') ? '${other}' : '${id}') + '; path=/';
  const store = (key, value) => localStorage.setItem(key, JSON.stringify(value));
  localStorage.setItem('permutive-id', '${id}');
  store('permutive-consent', { opt_in: answer !== 'a stored no', token: 'CONSENT' });
  store('permutive-code-ends', { 20112: Date.now() - 60000 });
  ['_pdfps', '_papns', '_psegs'].forEach((key) => store(key, ['20111', '20112']));
  const no = [{ functionName: 'consent', arguments: [{ opt_in: false }] }];
  window.permutive = { config: {}, q: answer === 'a no on the page' ? no : [], consent() {} };
  window.told = {};
  const pubads = { setTargeting(key, value) { told[key] = value; }, clearTargeting(key) { delete told[key]; } };
  window.googletag = { cmd: { push(command) { command(); } }, pubads: () => pubads };
  const restore = ${breaking};
</script><script>${companion}</script><script>restore();</script>`;

describe('The companion on a page that has broken a native', () => {
  const stage = stageForTests();

  test('calls natives', () => {
    expect(natives.length).toBeGreaterThan(5);
  });

  test.each(answers)('tells no more than it may, and throws nothing: %s', async (answer, may) => {
    const { page, errors } = await stage.visitor();
    let html = '';
    await page.route('**/companion', (route) => route.fulfill({ contentType: 'text/html', body: html }));
    /** What Google's tag was told, and what is left of the cohorts that bidders read. */
    const outcome = async (breaking: string): Promise<{ readonly told: Told; readonly left: readonly string[] }> => {
      html = pageWith(answer, breaking);
      await page.goto(`${stage.demo.site}/companion`);
      return page.evaluate(() => {
        const { permutive, puid } = (window as unknown as { told: Told }).told;
        const left = ['_papns', '_psegs'].filter((key) => localStorage.getItem(key) !== null);
        return { told: { ...(permutive && { permutive }), ...(puid !== undefined && { puid }) }, left };
      });
    };
    const whole = await outcome('() => undefined');
    expect(whole).toEqual({ told: may, left: may.permutive ? ['_papns', '_psegs'] : [] });
    const faults: string[] = [];
    for (const [native, how] of broken) {
      const name = `${native} ${how}`;
      const { told, left } = await outcome(`(${breakNative.toString()})('${native}', '${how}')`);
      const isMore =
        (told.puid !== undefined && told.puid !== may.puid) ||
        (told.permutive !== undefined && told.permutive.join() !== may.permutive?.join());
      if (isMore && !Object.hasOwn(spared, name)) faults.push(`${name}: told ${JSON.stringify(told)}`);
      if (!may.puid && left.length > 0) faults.push(`${name}: left ${left.join()}`);
    }
    expect({ faults, errors }).toEqual({ faults: [], errors: [] });
  });
});
