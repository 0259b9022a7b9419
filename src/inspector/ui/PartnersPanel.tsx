import type { ReactElement } from 'react';

import { type Fields, isRecord } from '../../codecs/codecs';
import { partnerKeys } from '../../model/storageKeys';
import type { CodesByName } from '../activationRoute';
import type { LogEntry } from '../logEntry';
import { shortText } from '../shortText';
import { appnexusCodes, bidRequests, googleTargeting, storedJson } from './pageReads';
import { EntryList, Pairs, usePanel } from './parts';

/** Bid requests that are listed, the latest. */
const maxPartnerRequests = 50;

/**
 * What partners have been told: key values per slot, keywords, what bid requests say of the visitor, stored keys,
 * pixels, scripts and layers.
 */
export const PartnersPanel = (): ReactElement => {
  const { entries, page } = usePanel();
  const { world } = page;
  const read = storedJson(world);
  return (
    <>
      <h2>Google key values</h2>
      <GoogleKeys />
      <h2>AppNexus keywords</h2>
      {partnerCodes(appnexusCodes(world.page), 'AppNexus’ tag is not on the page, or has not loaded.')}
      <h2>Prebid bid requests</h2>
      {partnerCodes(
        bidRequests(world.page)?.slice(-maxPartnerRequests),
        'Prebid is not on the page, or has not loaded.',
      )}
      <h2>Keys that partners read</h2>
      {codePairs(Object.values(partnerKeys).map((key) => [key, linesOf(read(key))]))}
      <h2>Pixels, scripts, layers and written keys</h2>
      <EntryList
        entries={entries.filter(({ lane }) => lane === 'effects')}
        none="None in this log."
        className="plain"
        wordsOf={whatOf}
      />
    </>
  );
};

/** Key values of Google's tag, and whether they have the cohorts of this very page: then `permutive` has `rts`. */
const GoogleKeys = (): ReactElement => {
  const targeting = googleTargeting(usePanel().page.world.page);
  if (targeting.length === 0) return <p className="soft">Google’s tag is not on the page, or has not loaded.</p>;
  const isLive = targeting.some(([, keys]) => keys['permutive']?.includes('rts'));
  return (
    <>
      <p>
        {isLive ? (
          <>
            <span className="badge">rts</span> Google’s tag has the cohorts of this page.
          </>
        ) : (
          'Google’s tag has not got the cohorts of this page, but those of the last one at most.'
        )}
      </p>
      <div className="columns">
        {targeting.map(([place, keys]) => (
          <section key={place}>
            <h3>{place}</h3>
            {codePairs(Object.entries(keys))}
          </section>
        ))}
      </div>
    </>
  );
};

/** Codes by tag or bidder. `absent`: the text where there is no such partner. */
const partnerCodes = (codes: CodesByName | undefined, absent: string): ReactElement => {
  if (codes === undefined) return <p className="soft">{absent}</p>;
  return codes.length === 0 ? <p className="soft">None yet.</p> : codePairs(codes);
};

const codePairs = (codes: CodesByName): ReactElement => (
  <Pairs
    of={codes.map(([name, values]) => [
      name,
      values.length === 0 ? <span className="soft">nothing</span> : values.join(', '),
    ])}
  />
);

const whatOf = ({ data }: LogEntry): string => {
  const { url, key, name } = isRecord(data) ? data : {};
  return shortText(url ?? key ?? name);
};

const linesOf = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.map(String) : isRecord(stored) ? namedLines(stored) : [];

/** The lists of a stored object, each after its name, however deep they are. */
const namedLines = (stored: Fields): readonly string[] =>
  Object.entries(stored).flatMap(([name, value]) =>
    isRecord(value) ? namedLines(value) : [`${name}: ${String(value)}`],
  );
