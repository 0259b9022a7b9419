import { map, of } from 'rxjs';

import { AnyBoolean, AnyString } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';
import { ownFields } from '../../hardening/ownFields';
import type { Activation } from '../../model/activation';
import { poll, type PollOptions } from '../../operators/creators/poll';
import type { Addon } from '../addon';
import { partnerFields, segmentPartner, settingOf, type Signal } from './segmentPartner';

/** Options of a partner that is told by custom events of its pixel on the page. */
export const customEventOptions = optionsOf({
  ...partnerFields,
  /**
   * The partner's account is in its core set-up, in which custom properties of events are dropped. The segment is then
   * part of the event's name (spec S§4). `core_setup` in `wc` of an activation goes first.
   */
  core_setup: [AnyBoolean, false],
  /**
   * The one of the page's pixels that is told; empty: all of them. `pixel_id` of an activation goes first. Pinterest
   * and X document no call for that (project/check/projectFindings.ts).
   */
  pixel_id: [AnyString, ''],
});
export type CustomEventOptions = ReturnType<typeof customEventOptions>;

/** A custom event for one signal. */
export interface CustomEvent {
  /** By property: `SegmentEntry` or `SegmentExit`. By name: the same, an underscore and the segment. */
  readonly name: string;
  /** By property: the segment. By name: nothing. */
  readonly properties: readonly [] | readonly [{ readonly segment: string }];
  /** The pixel that is told; empty: all of the page. */
  readonly pixelId: string;
  readonly activation: Activation;
  readonly entered: boolean;
}

/** A partner whose pixel is a function or an object of the page. */
interface EventPartner<Pixel> extends Pick<Addon<CustomEventOptions>, 'name'> {
  readonly autoInit?: boolean;
  /** Name of the global that the pixel is. */
  readonly global: string;
  /** How long the pixel is waited for. Default: that of `poll`. */
  readonly wait?: PollOptions;
  /** Whether the global is the pixel, and not something else of that name. */
  readonly isPixel: (global: unknown) => global is Pixel;
  /** What the pixel answers does not matter. */
  readonly send: (pixel: Pixel, event: CustomEvent) => unknown;
}

/**
 * Makes an addon for a partner whose pixel the publisher has put on the page. The pixel is waited for each time that
 * there is something to tell, and looked up again at each event, because its stub is replaced once it has loaded.
 */
export const eventPartner = <Pixel>(partner: EventPartner<Pixel>): Addon<CustomEventOptions> => {
  const { name, autoInit = true, global, wait = {}, isPixel, send } = ownFields(partner);
  return segmentPartner({
    name,
    autoInit,
    options: customEventOptions,
    reach: (options, deps) => {
      const pixel = (): Pixel | undefined => {
        const found = deps.global(global);
        return isPixel(found) ? found : undefined;
      };
      return poll(pixel, wait).pipe(
        map((found) => (signal: Signal) => {
          send(pixel() ?? found, customEvent(signal, options));
          return of(true);
        }),
      );
    },
  });
};

const customEvent = ({ activation, entered, segment }: Signal, options: CustomEventOptions): CustomEvent => {
  const name = entered ? 'SegmentEntry' : 'SegmentExit';
  const byName = (ownFields(ownFields(activation).wc ?? {})['core_setup'] ?? options.core_setup) === true;
  return {
    activation,
    entered,
    pixelId: settingOf(activation, 'pixel_id') ?? options.pixel_id,
    name: byName ? `${name}_${segment}` : name,
    properties: byName ? [] : [{ segment }],
  };
};

/** Whether a global is a function. An element of the page with that id is a global too, and no function. */
export const isFunction = (global: unknown): global is (...given: readonly unknown[]) => unknown =>
  typeof global === 'function';
