import {
  AnyRecord,
  AnyString,
  DecodeError,
  isRecord,
  list,
  object,
  readAs,
  shape,
  type TypeOf,
  value,
} from '../../codecs/codecs';
import { type Json, NoJson } from '../../hardening/json';
import { ownFields } from '../../hardening/ownFields';
import type { Properties } from '../../model/event';
import type { NotesDeps } from '../../model/notes';
import type { Report } from '../../model/report';
import { localKeys } from '../../model/storageKeys';

/** A part of the answer about the visitor's place. */
const Part = value('an object or null', (input) => input === null || isRecord(input));
/** A page that was classified: its address, and its classification as Pageviews carry it. */
const KeptPage = object('a page', shape({ url: AnyString, classifications: AnyRecord }));
/** The visitor's place and the content of pages, as they are kept for the later pages of one session. */
const KeptPageData = object(
  localKeys.pageData,
  shape(
    {
      session_id: AnyString,
      /** The latest page is the last. */
      pages: list(KeptPage),
    },
    {
      /** The place as the server has answered it, without the visitor's address; absent: not answered yet. */
      geoip: object('a place', shape({}, { geo_info: Part, isp_info: Part })),
    },
  ),
);
export type KeptPageData = TypeOf<typeof KeptPageData>;

/** Storage, JSON that the page cannot change, and where broken data is reported. */
export interface KeptPageDataDeps extends NotesDeps {
  readonly json: Json;
  readonly report: Report;
}

/** What is kept of a session. What belongs to another session is not used; broken data is reported and not used. */
export const readPageData = (sessionId: string, { local, json, report }: KeptPageDataDeps): KeptPageData => {
  const none = ownFields({ session_id: sessionId, pages: [] });
  const text = local.read(localKeys.pageData);
  if (text === null) return none;
  const parsed = json.parse(text);
  const kept = readAs(KeptPageData, parsed === NoJson ? undefined : parsed);
  if (kept instanceof DecodeError) report('Invalid stored page data', kept);
  else if (kept.session_id === sessionId) return ownFields(kept);
  return none;
};

/** The fields that a Pageview of this address gets from what is kept (spec S§3). */
export const keptFields = ({ geoip = {}, pages }: KeptPageData, address: string): Properties => {
  const { geo_info, isp_info } = ownFields(geoip);
  return {
    ...(isRecord(geo_info) && { geo_info }),
    ...(isRecord(isp_info) && { isp_info }),
    ...pages.filter(({ url }) => url === address).map(({ classifications }) => ({ classifications }))[0],
  };
};
