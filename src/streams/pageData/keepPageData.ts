import { pageviewFields } from '../../model/project';
import { localKeys } from '../../model/storageKeys';
import { type KeptPageData, type KeptPageDataDeps, readPageData } from './keptPageData';
import { filled, noPageData, type PageData } from './pageFields';

/** Pages whose classification is kept, and how long the text of all may be. The oldest pages are dropped. */
const maxPages = 10;
const maxLength = 30_000;

/** Keeps the visitor's place for the session, without the address, which no later page has asked for. */
export const keepPlace = (
  { geo_info = null, isp_info = null, ip_hash = null }: PageData['geoip'],
  sessionId: string,
  deps: KeptPageDataDeps,
): void => {
  const geoip = { geo_info, isp_info, ip_hash };
  write({ ...readPageData(sessionId, deps), geoip }, deps);
};

/** Keeps the classification of a page for the session, in the form in which Pageviews carry it. */
export const keepClassification = (
  url: string,
  watson: PageData['watson'],
  sessionId: string,
  deps: KeptPageDataDeps,
): void => {
  // Read again, because other tabs write it too.
  const kept = readPageData(sessionId, deps);
  const page = { url, classifications: filled(pageviewFields.classifications, { ...noPageData, watson }) };
  write({ ...kept, pages: [...kept.pages.filter((other) => other.url !== url), page].slice(-maxPages) }, deps);
};

const write = (kept: KeptPageData, deps: KeptPageDataDeps): void => {
  const text = deps.json.stringify(kept);
  if (text.length <= maxLength) deps.local.write(localKeys.pageData, text);
  else if (kept.pages.length > 0) write({ ...kept, pages: kept.pages.slice(1) }, deps);
};
