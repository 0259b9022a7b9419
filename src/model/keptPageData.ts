import { AnyRecord, AnyString, DecodeError, type Fields, isRecord, list, object, readAs, shape, value } from './codecs';
import type { Properties } from './event';
import { type Json, NoJson } from './json';
import type { NotesDeps } from './notes';
import { ownFields } from './ownFields';
import type { Report } from './report';
import { localKeys } from './storageKeys';

/** A page that was classified: its address, and its classification as Pageviews carry it. */
interface KeptPage {
  readonly url: string;
  readonly classifications: Fields;
}

/** The visitor's place and the content of pages, as they are kept for the later pages of one session. */
export interface KeptPageData {
  readonly session_id: string;
  /** The place as the server has answered it, without the visitor's address; absent: not answered yet. */
  readonly geoip?: Fields;
  /** The latest last. */
  readonly pages: readonly KeptPage[];
}

/** Storage, JSON that the page cannot change, and where broken data is reported. */
export interface KeptPageDataDeps extends NotesDeps {
  readonly json: Json;
  readonly report: Report;
}

const Part = value<Fields | null>('an object or null', (input) => input === null || isRecord(input));
const Kept = object<KeptPageData>(
  localKeys.pageData,
  shape(
    {
      session_id: AnyString,
      pages: list(object<KeptPage>('a page', shape({ url: AnyString, classifications: AnyRecord }))),
    },
    { geoip: object('a place', shape({}, { geo_info: Part, isp_info: Part })) },
  ),
);

/** What is kept of a session. What belongs to another session is not used; broken data is reported and not used. */
export const readPageData = (sessionId: string, { local, json, report }: KeptPageDataDeps): KeptPageData => {
  const none = ownFields({ session_id: sessionId, pages: [] });
  const text = local.read(localKeys.pageData);
  if (text === null) return none;
  const parsed = json.parse(text);
  const kept = readAs(Kept, parsed === NoJson ? undefined : parsed);
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
