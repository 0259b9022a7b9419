import { eventPartner, isFunction } from './eventPartner';
import { settingOf } from './segmentPartner';

/**
 * Tells the pixel of X of segments (spec S§4, C§9). X takes events that the publisher has made in its events manager:
 * an activation gives their ids as `event_id`, for an entry, and `exit_event_id`. By property, the segment is in the
 * event's `contents`. An activation without such an id is told by the older call, `twq('track', …)`. The addon starts
 * only when the page starts it.
 */
export const twitterPixel = eventPartner({
  name: 'twitter_pixel',
  autoInit: false,
  global: 'twq',
  isPixel: isFunction,
  send: (twq, { activation, entered, name, properties }) => {
    const eventId = settingOf(activation, entered ? 'event_id' : 'exit_event_id');
    if (eventId === undefined) return twq('track', name, ...properties);
    const contents = properties.map(({ segment }) => ({ content_name: name, content_id: segment }));
    return twq('event', eventId, contents.length === 0 ? {} : { contents });
  },
});
