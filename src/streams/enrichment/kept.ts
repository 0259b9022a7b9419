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
import { NoJson } from '../../hardening/json';
import { ownFields } from '../../hardening/ownFields';
import type { Properties } from '../../model/event';
import type { NotesDeps } from '../../model/notes';
import type { Report } from '../../model/report';
import { localKeys } from '../../model/storageKeys';

/** A part of the answer about the visitor's place. */
const Part = value('an object or null', (input) => input === null || isRecord(input));
/** A page that was classified: the address that was asked for, and its classification as Pageviews carry it. */
const KeptPage = object('a page', shape({ url: AnyString, classifications: AnyRecord }));
/**
 * The visitor's place and the content of pages, as they are kept for the later pages of one session. The page script
 * only reads them; `requests.ts` writes.
 */
const Kept = object(
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
export type Kept = TypeOf<typeof Kept>;

/** Storage, JSON that the page cannot change, and where broken data is reported. */
export interface KeptDeps extends NotesDeps {
  readonly report: Report;
}

/** What is kept of a session. What belongs to another session is not used; broken data is reported and not used. */
export const readKept = (sessionId: string, { local, json, report }: KeptDeps): Kept => {
  const none = ownFields({ session_id: sessionId, pages: [] });
  const text = local.read(localKeys.pageData);
  if (text === null) return none;
  const parsed = json.parse(text);
  const kept = readAs(Kept, parsed === NoJson ? undefined : parsed);
  if (kept instanceof DecodeError) report('Invalid stored page data', kept);
  else if (kept.session_id === sessionId) return ownFields(kept);
  return none;
};

/**
 * The fields that a Pageview of this address gets from what is kept (spec S§3). The address is that of its client
 * context. A page is kept under the one that its content was asked for at, so a redacted address finds none.
 */
export const keptFields = ({ geoip = {}, pages }: Kept, address: string): Properties => {
  const { geo_info, isp_info } = ownFields(geoip);
  return {
    ...(isRecord(geo_info) && { geo_info }),
    ...(isRecord(isp_info) && { isp_info }),
    ...pages.filter(({ url }) => url === address).map(({ classifications }) => ({ classifications }))[0],
  };
};
