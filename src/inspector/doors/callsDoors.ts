import { map, noop } from 'rxjs';

import type { PublicCalls, TrackCall } from '../../api/publicCalls';
import type { EventDraft } from '../../model/event';
import { type Door, type Doors, plains, request, stream } from './door';

/** Calls of `track`. The event may come later, where it waits for data, so it is linked by its id. */
const trackDoor: Door<PublicCalls['track$']> = {
  watched: (call$, { log, recorder }) =>
    recorder.hear(
      'track',
      call$.pipe(
        map(({ draft, accepted }) => {
          const call = { id: 0 };
          const linked: TrackCall['accepted'] = (event) => {
            if (event !== null) log.link(`made ${event.id}`, call.id);
            accepted(event);
          };
          return { call, draft, accepted: linked };
        }),
      ),
      { lane: 'calls', dataOf: ({ draft }) => draft, onNoted: ({ call }, id) => void (call.id = id) },
    ),
  replayed: (_$, { playback }) =>
    playback.hear('track').pipe(map((draft) => ({ draft: draft as EventDraft, accepted: noop }))),
};

/** The page's calls. The functions in them are the page's, and are not noted; in a replay nobody waits for answers. */
export const callsDoors = {
  track$: trackDoor,
  reset$: stream('reset', { lane: 'calls', dataOf: () => null, ofData: () => noop }),
  explain$: stream('explain', {
    lane: 'calls',
    dataOf: ({ id }) => id,
    ofData: (id) => ({ id: String(id), done: noop }),
  }),
  addon: request((name: string) => `addon ${name}`, { lane: 'calls' }),
  // Noted where the deferred chunk has read them, because only then is it known which texts are ids.
  ...plains('identify$', 'identify', 'dropIdentify'),
  // Consent and what asks for it again are noted as the state of the world.
  ...plains('consent$', 'recheck$', 'beforeRequest$', 'instances'),
  // What feeds the streams.
  ...plains('recheck', 'beforeRequest', 'track', 'giveConsent', 'reset', 'explain', 'startAddon', 'expose'),
} satisfies Doors<PublicCalls>;
