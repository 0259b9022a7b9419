import { ownEntry } from '../src/hardening/ownFields';
import type { ProjectDefinition } from '../src/model/project';

/** What stands in a project definition and has no effect. The build goes on, because earlier documents named it. */
export interface ProjectWarning {
  readonly path: string;
  readonly why: string;
}

/** Partners that cannot be told by one of several pixels of a page, with the reason. */
const withoutPixelId: Readonly<Record<string, string>> = {
  // https://developers.pinterest.com/docs/api-features/pinterest-tag/ (read on 2026-11-24): the base code, which has
  // the tag's id, appears once on a page, and an event names no tag. The image form of the tag has the id. The page
  // shows no image form for events of the publisher's own with properties.
  pinterest: 'Pinterest documents no call of its tag that names one of several',
  // https://docs.chord.co/twitter-ads, which goes by X's own help (read on 2026-11-24): an event is told by the id of
  // the event, `twq('event', EVENT_ID, …)`, and the call names no pixel.
  twitter_pixel: 'X documents no call that names one of several pixels',
};

/** The options and activations that name a pixel for such a partner. */
export const projectWarnings = ({ addons, activations }: ProjectDefinition): readonly ProjectWarning[] =>
  Object.entries(withoutPixelId).flatMap(([addon, reason]) => {
    const why = `pixel_id has no effect, because ${reason}`;
    const named = (config: Readonly<Record<string, unknown>> | undefined, path: string): readonly ProjectWarning[] =>
      ownEntry(config ?? {}, 'pixel_id') === undefined ? [] : [{ path: `${path}/pixel_id`, why }];
    return [
      ...named(addons[addon], `addons/${addon}`),
      ...(activations[addon] ?? []).flatMap(({ c, wc }, i) => [
        ...named(c, `activations/${addon}/${i}/c`),
        ...named(wc, `activations/${addon}/${i}/wc`),
      ]),
    ];
  });
