import { openChanged } from './support/changedPage';
import { needs } from './support/needs';
import { stageForTests } from './support/stage';
import { until } from './support/until';

/** Defines Google's queue, as the tag's own snippet does. */
const queue = 'window.googletag = { cmd: [] };';

describe('An ad tag that comes after the SDK', () => {
  const stage = stageForTests();
  const logging = '__permutive.loggingEnabled=true';
  const message = 'Unable to find google tag script';

  test('is found by the time its script has loaded, also after it was reported missing', async () => {
    const visitor = await stage.visitor();
    await visitor.open(`/blank?gpt=none&${logging}`);
    await visitor.untilWarned(message);
    const commands = await visitor.page.evaluate(
      (code) =>
        new Promise((resolve, reject) => {
          const script = document.createElement('script');
          script.src = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
          script.onerror = reject;
          script.onload = () => resolve((window as unknown as { googletag: { cmd: unknown[] } }).googletag.cmd.length);
          document.head.append(script);
        }),
      queue,
    );
    expect(commands).toBeGreaterThan(0);
    expect((await visitor.warnings()).filter((warning) => warning.includes(message))).toHaveLength(1);
  });

  needs('startBeforeLoad')('is found once the page is parsed where a script in the page defines it', async () => {
    const visitor = await stage.visitor();
    // The SDK's script blocks the parser here, so that it comes before the queue for sure.
    await openChanged(visitor, stage.demo.site, `?gpt=none&${logging}`, (html) =>
      html.replace(/<script async(?=[^>]*-web\.js)/, '<script').replace('</body>', `<script>${queue}</script>$&`),
    );
    await visitor.ready('initialised');
    await until(
      async () => (await visitor.page.evaluate<number>('googletag.cmd.length')) > 0 || undefined,
      'the command of the SDK',
    );
    expect((await visitor.warnings()).filter((warning) => warning.includes(message))).toEqual([]);
  });
});
