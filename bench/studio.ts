// npm run bench:studio: how long Studio takes to read and to count a million events of 50,000 visitors, with the
// cohorts of the sample project. Prints one line a measure.
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { writeSampleProject } from '../demo/project/write';
import type { Definition } from '../src/engine/language/language';
import { tastes, visitorOf } from '../studio/page/play/generatedVisitor';
import type { SizeLine, StudioProject } from '../studio/protocol';
import { startStudio } from '../studio/server/startStudio';

const [visitors, eventsEach] = [50_000, 20];
const folder = resolve(import.meta.dirname, '../build/bench-studio');
const data = resolve(folder, 'visits.ndjson');

/** Readers of the demo's paper, cut to 20 events each, in the order of visitors. */
const writeVisits = async (): Promise<void> => {
  if (existsSync(data)) return;
  mkdirSync(folder, { recursive: true });
  const file = createWriteStream(data);
  for (let seed = 1; seed <= visitors; seed++) {
    const taste = tastes[seed % tastes.length]!;
    let events = visitorOf(seed, taste);
    for (let more = 1; events.length < eventsEach; more++)
      events = [...events, ...visitorOf(seed + more * visitors, taste)];
    const start = seed % Math.max(1, events.length - eventsEach);
    const lines = events
      .slice(start, start + eventsEach)
      .map(({ time, ...event }) =>
        JSON.stringify({ user_id: `reader-${seed}`, time: new Date(time).toISOString(), ...event }),
      );
    if (!file.write(`${lines.join('\n')}\n`)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
};

const say = (what: string, value: string): void => console.log(`${what.padEnd(48)} ${value}`);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

await writeVisits();
say('file of visits', `${Math.round(statSync(data).size / 1e6)} MB`);
const file = writeSampleProject(resolve(folder, 'project.json'));
const studio = await startStudio({ folder, file, port: 0, data, token: 'bench' });
const { origin } = new URL(studio.address);
const headers = { 'content-type': 'application/json', 'x-studio-token': 'bench' };
const call = (name: string, body: object): Promise<Response> =>
  fetch(`${origin}/api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) });

/** Times of the lines of a count, from the call on. */
const sizeOf = async (definition: Definition): Promise<void> => {
  const began = performance.now();
  const answer = await call('size', { definition });
  let rest = '';
  for await (const text of answer.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.map((each) => JSON.parse(each) as SizeLine)) {
      const after = seconds(performance.now() - began);
      if (line.type === 'estimate') say(`  estimate ${line.members} ± ${line.error}`, after);
      if (line.type === 'progress' && line.events === line.of) say(`  all events counted`, after);
      if (line.type === 'sized') say(`  with overlaps: ${line.members} of ${line.visitors}`, after);
      if (line.type === 'refused') say(`  refused: ${line.message}`, after);
    }
  }
};

const began = performance.now();
const isRead = async (): Promise<boolean> => {
  const { visits } = (await (await call('project', {})).json()) as StudioProject;
  return visits?.endsWith('by now') === false;
};
while (!(await isRead())) await sleep(100);
await call('vocabulary', {});
say('reading the file, and its names and values', seconds(performance.now() - began));
const pages: Definition = {
  id: 'bench-pages',
  q: { event: 'Pageview', where: { p: 'article.section', eq: tastes[1]! }, is: { gte: 3 }, within: { days: 7 } },
};
const views: Definition = {
  id: 'bench-view',
  q: { event: 'PageviewEngagement', sum: 'engaged_time', is: { gte: 30 }, within: 'view' },
};
say('a count of pages, the first count of this file', '');
await sizeOf(pages);
say('the same once more', '');
await sizeOf(pages);
say('a count within a view, which reads every event', '');
await sizeOf(views);
for (const who of ['members', 'near']) {
  const asked = performance.now();
  await call('find', { definition: pages, who, limit: 10 });
  say(`ten ${who}`, seconds(performance.now() - asked));
}
const checked = performance.now();
await call('check', { definition: pages });
say('check', `${Math.round(performance.now() - checked)} ms`);
say('memory of the process', `${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
await studio.close();
