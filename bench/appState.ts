// npm run bench:state
// What a save of the app state costs while events wait for their upload. The same run measures a save that parses,
// decodes and writes the whole state, and one `JSON.stringify` of the state. Compare the ratios.
import { Subject } from 'rxjs';

import { json } from '../src/model/plainJson';
import type { AppState, AppStatePatch } from '../src/sinks/delivery/appState';
import { appStateStore, readAppState } from '../src/sinks/delivery/appStateStore';
import { queueEntries } from '../src/sinks/delivery/appStateText';
import { uploadItemOf } from '../src/sinks/delivery/uploadItem';
import { encodeAppState } from '../test/support/appState';
import { queuedOf } from '../test/support/events';
import { memoryStorage } from '../test/support/memoryStorage';
import { settingsOf } from '../test/support/settings';
import { median, timed } from './measure';
import { printTable } from './table';

const saves = 200;
/** So that an event takes about 450 characters, as a page view does. */
const properties = { article: { title: 'x'.repeat(120), section: 'news' } };

/** Like a browser's, it keeps and gives copies of texts. */
const copyingStorage = () => {
  const storage = memoryStorage();
  let kept = Buffer.alloc(0);
  return {
    ...storage,
    read: () => (kept.length === 0 ? null : kept.toString('latin1')),
    write: (_: string, text: string) => {
      kept = Buffer.from(text, 'latin1');
      return undefined;
    },
  };
};

const medianMs = (work: () => void): number => {
  for (let i = 0; i < saves; i += 1) work();
  return median(Array.from({ length: saves }, () => timed(work).ms));
};

const row = (waiting: number): readonly string[] => {
  const local = copyingStorage();
  const deps = { local, json, setting: settingsOf(), report: console.error };
  const items = Array.from({ length: waiting }, (_, i) =>
    uploadItemOf(queuedOf(`event-${i}`, { properties }), 'page', { json, bytesOf: (text) => text.length }),
  );
  const entryOf = queueEntries(json);
  const patch: AppStatePatch = { upload: () => ({ pages: ['page'], queue: items.map(entryOf), pause: null }) };

  const urgent$ = new Subject<AppStatePatch>();
  const saving = appStateStore(new Subject(), urgent$, new Subject(), deps).subscribe();
  const spliced = medianMs(() => urgent$.next(patch));
  saving.unsubscribe();

  let state: AppState = readAppState(deps);
  const whole = medianMs(() => {
    state = readAppState(deps);
    local.write('', json.stringify(encodeAppState(state)));
  });
  const stringify = medianMs(() => void JSON.stringify(encodeAppState(state)));
  return [
    String(waiting),
    ...[spliced, whole, stringify].map((ms) => `${ms.toFixed(3)} ms`),
    `${(whole / spliced).toFixed(1)}×`,
    `${(spliced / stringify).toFixed(2)}×`,
  ];
};

printTable(
  'A save of the app state',
  ['events waiting', 'save', 'read and write the whole', 'JSON.stringify', 'whole : save', 'save : JSON.stringify'],
  [0, 100, 1000].map(row),
);
