import type { ReactElement } from 'react';

import { isRecord } from '../../codecs/codecs';
import { partnerKeys } from '../../model/storageKeys';
import type { LogEntry } from '../logEntry';
import { shortText } from '../shortText';
import { appnexusCodes, bidRequests, googleTargeting, type PlacedKeys, storedJson } from './pageReads';
import type { PanelProps } from './panelProps';
import { EntryList, Pair } from './parts';

/** Bid requests that are listed, the latest. */
const maxPartnerRequests = 50;

/**
 * What partners have been told: key values per slot, keywords, what bid requests say of the visitor, stored keys,
 * pixels, scripts and layers.
 */
export const PartnersPanel = ({ entries, page: { world }, onShow }: PanelProps): ReactElement => {
  const effects = entries.filter(({ lane }) => lane === 'effects');
  const read = storedJson(world);
  return (
    <>
      <h2>Google key values</h2>
      <GoogleKeys targeting={googleTargeting(world.page)} />
      <h2>AppNexus keywords</h2>
      <CodesByName codes={appnexusCodes(world.page)} absent="AppNexus’ tag is not on the page, or has not loaded." />
      <h2>Prebid bid requests</h2>
      <CodesByName
        codes={bidRequests(world.page)?.slice(-maxPartnerRequests)}
        absent="Prebid is not on the page, or has not loaded."
      />
      <h2>Keys that partners read</h2>
      <dl>
        {Object.values(partnerKeys).map((key) => (
          <KeyValuePair key={key} name={key} values={listOf(read(key))} />
        ))}
      </dl>
      <h2>Pixels, scripts, layers and written keys</h2>
      <EntryList entries={effects} onShow={onShow} none="None in this log." className="plain" wordsOf={whatOf} />
    </>
  );
};

/** Key values of Google's tag, and whether they have the cohorts of this very page: then `permutive` has `rts`. */
const GoogleKeys = ({ targeting }: { readonly targeting: PlacedKeys }): ReactElement => {
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
            <dl>
              {Object.entries(keys).map(([key, values]) => (
                <KeyValuePair key={key} name={key} values={values} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </>
  );
};

interface CodesByNameProps {
  /** By tag or bidder; undefined where there is no such partner. */
  readonly codes: readonly (readonly [name: string, codes: readonly string[]])[] | undefined;
  /** The text where there is no such partner. */
  readonly absent: string;
}

const CodesByName = ({ codes, absent }: CodesByNameProps): ReactElement => {
  if (codes === undefined) return <p className="soft">{absent}</p>;
  if (codes.length === 0) return <p className="soft">None yet.</p>;
  return (
    <dl>
      {codes.map(([name, values], i) => (
        <KeyValuePair key={i} name={name} values={values} />
      ))}
    </dl>
  );
};

const whatOf = ({ data }: LogEntry): string => {
  const { url, key, name } = isRecord(data) ? data : {};
  return shortText(url ?? key ?? name);
};

const KeyValuePair = ({
  name,
  values,
}: {
  readonly name: string;
  readonly values: readonly string[];
}): ReactElement => (
  <Pair name={name}>{values.length === 0 ? <span className="soft">nothing</span> : values.join(', ')}</Pair>
);

const listOf = (stored: unknown): readonly string[] => {
  if (Array.isArray(stored)) return stored.map(String);
  return isRecord(stored) ? Object.entries(stored).map(([key, value]) => `${key}: ${String(value)}`) : [];
};
