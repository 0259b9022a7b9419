import { partFile } from './support/bundleFile';
import { stageForTests } from './support/stage';
import { failedRequests, type Visitor } from './support/visitor';

const chunk = partFile('ctv');
const title = 'Copper in eight seconds';

/** Acts on the video of the page. */
const film = (visitor: Visitor, act: (video: HTMLVideoElement) => unknown): Promise<unknown> =>
  visitor.page.locator('#film').evaluate(act);

describe('A video on the page', () => {
  const stage = stageForTests();

  const arrive = async (path = '/film'): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.open(path);
    await visitor.ready('realtime');
    return visitor;
  };

  test('is tracked from its first play to its end; engagement stays in the browser', async () => {
    const visitor = await arrive();
    await film(visitor, (video) => video.play());
    const [view] = await stage.untilArrived('Videoview');
    expect(view?.properties).toMatchObject({ video: { title, runtime: 8 } });

    const [completion] = await stage.untilArrived('VideoCompletion');
    const properties = completion!.properties as { readonly engaged_time: number; readonly completion: number };
    expect(properties).toMatchObject({
      video: { title },
      completion: 1,
      aggregations: { VideoEngagement: { engaged_time: properties.engaged_time, completion: 1 } },
    });
    expect(properties.engaged_time).toBeGreaterThanOrEqual(5);
    expect(properties.engaged_time).toBeLessThanOrEqual(8);

    const engagements = await visitor.heard('VideoEngagement');
    expect(engagements[0]?.properties).toMatchObject({ engaged_time: 5, total_engaged_time: 5 });
    expect(await stage.arrived('VideoEngagement')).toEqual([]);
    expect(visitor.errors).toEqual([]);
  });

  test('counts what was watched, not what was jumped over; a second play is a second view', async () => {
    const visitor = await arrive();
    await film(visitor, async (video) => {
      await video.play();
      video.currentTime = 7;
    });
    const [completion] = await stage.untilArrived('VideoCompletion');
    expect(completion!.properties['completion']).toBeLessThan(0.3);
    await film(visitor, (video) => video.play());
    await stage.untilArrived('Videoview', 2);
  });

  test('is complete when the page removes it', async () => {
    const visitor = await arrive();
    await film(visitor, (video) => video.play());
    await stage.untilArrived('Videoview');
    await film(visitor, (video) => video.remove());
    await stage.untilArrived('VideoCompletion');
  });

  test('is complete when the visitor goes to another page', async () => {
    const visitor = await arrive();
    await film(visitor, (video) => video.play());
    await stage.untilArrived('Videoview');
    await visitor.open('/blank');
    const [completion] = await stage.untilArrived('VideoCompletion');
    expect(completion?.properties).toMatchObject({ video: { title } });
  });

  test('loads its code with the first video, and loses no call before', async () => {
    const visitor = await stage.visitor();
    const loads: string[] = [];
    visitor.page.on('request', (request) => loads.push(request.url()));
    await visitor.open('/blank');
    await visitor.ready('realtime');
    expect(loads.filter((url) => chunk.test(url))).toEqual([]);
    const release = await visitor.hold(chunk);
    await visitor.ask((permutive) => {
      type Video = Readonly<Record<'play' | 'stop', (position: number) => void>>;
      permutive.addon('ctv', { duration: 60_000, videoProperties: { title: 'Of a player' } });
      const video = permutive.addons['ctv'] as Video;
      video.play(0);
      video.stop(15_000);
    });
    release();
    const [completion] = await stage.untilArrived('VideoCompletion');
    expect(completion?.properties).toMatchObject({ video: { title: 'Of a player' }, completion: 0.25 });
  });

  test('whose code does not load is reported; the page and other events go on', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.page.route(chunk, (route) => route.abort());
    await visitor.open('/film?permutive_debug=true');
    await visitor.ready('realtime');
    await visitor.untilWarned('Failed to track videos');
    await film(visitor, (video) => video.play());
    await visitor.track('Afterwards');
    await stage.untilArrived('Afterwards');
    expect(visitor.errors).toEqual([]);
  });
});
