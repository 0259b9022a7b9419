import { type ReactElement, useState } from 'react';
import { from, of, startWith } from 'rxjs';

import { isRecord } from '../../codecs/codecs';
import { localKeys, ownPrefix, partnerKeys, sessionKeys } from '../../model/storageKeys';
import { isoText } from '../../primitives/isoDate';
import { utf8Bytes } from '../../primitives/utf8Bytes';
import type { World } from '../../visit/world';
import { type ConsentFacts, consentFacts } from '../doctor/consent';
import { shortText } from '../shortText';
import { startupWords } from '../startupWords';
import { visitorGroup } from '../visitorGroup';
import { methodsOf, storedJson } from './pageReads';
import { EntryList, Pairs, Table, useLatest, usePanel } from './parts';

/** Consent, session and view, what start-up has found, identities, and what is stored where and how large. */
export const VisitorPanel = (): ReactElement => {
  const { page } = usePanel();
  const { tag } = page;
  const context = isRecord(tag['context']) ? tag['context'] : {};
  const group = visitorGroup(page);
  const ids = { User: 'user_id', Session: 'session_id', View: 'view_id' };
  return (
    <>
      <div className="columns">
        <section>
          <h2>Who and when</h2>
          <Pairs
            of={[
              ...Object.entries(ids).map(([name, field]) => [name, shortText(context[field])] as const),
              ...(group === undefined ? [] : [['Group of the experiment', group] as const]),
            ]}
          />
          <h2>Consent</h2>
          <ConsentSection />
        </section>
        <section aria-label="Start-up">
          <h2>Start-up</h2>
          <StartupSection />
        </section>
      </div>
      <h2>Identities</h2>
      <IdentityTable />
      <h2>Stored by the SDK</h2>
      <StoredTable />
    </>
  );
};

/** What the visitor allows, and each answer about it in the log. */
const ConsentSection = (): ReactElement => {
  const { entries, page } = usePanel();
  const answers = entries.filter(({ lane }) => lane === 'consent');
  // Asked again with each answer.
  const facts = useLatest(() => from(consentFacts(page.world)), [page.world, answers.at(-1)?.id]);
  if (facts === undefined) return <p className="soft">Asking the page</p>;
  return (
    <Pairs
      of={[
        ['Answer', facts.answer],
        ['Required', facts.isRequired ? 'yes' : 'no'],
        ['TCF', platformWords[facts.tcf]],
        ['GPP', platformWords[facts.gpp]],
        ['US Privacy', platformWords[facts.usp]],
        ['Global Privacy Control', facts.isGpc ? 'on: nothing is shared' : 'off, or not respected'],
        ['In this log', <EntryList entries={answers} none="nothing" className="inline" />],
      ]}
    />
  );
};

const platformWords: Readonly<Record<ConsentFacts['gpp'], string>> = {
  none: 'no platform on the page',
  silent: 'the platform has not answered',
  undecided: 'the visitor has not decided',
  decided: 'the visitor has decided',
  optedOut: 'the visitor has opted out of sharing',
};

/** What start-up has found, as `permutive.startup()` says it. */
const StartupSection = (): ReactElement => {
  const { entries, page } = usePanel();
  const { startup: ask } = methodsOf(page.tag);
  // Asked again where it may have changed: with consent, and when a start-up has ended.
  const latest = entries.filter(({ lane, type }) => lane === 'consent' || type === 'started').at(-1)?.id;
  const found = useLatest(() => (ask === undefined ? of(null) : from(ask()).pipe(startWith(undefined))), [ask, latest]);
  if (found === undefined) return <p className="soft">Start-up has not ended yet.</p>;
  return found === null ? <p className="soft">The SDK is not running.</p> : <Pairs of={startupWords(found)} />;
};

const IdentityTable = (): ReactElement => {
  const notes = storedJson(usePanel().page.world)(localKeys.notes);
  const identities = isRecord(notes) && Array.isArray(notes['identities']) ? (notes['identities'] as unknown[]) : [];
  if (identities.length === 0) return <p className="soft">None is stored.</p>;
  const rows = identities.map(identityOf).map(({ tag, priority, expiry }, i) => {
    const until = typeof expiry === 'number' ? isoText(expiry) : '';
    return [i, shortText(tag), shortText(priority), until] as const;
  });
  return <Table heads={['Tag', 'Priority', 'Until']} rows={rows} />;
};

/** A stored identity: its own record, or the pair of tag and record. */
const identityOf = (entry: unknown): Readonly<Record<string, unknown>> => {
  if (Array.isArray(entry)) return { tag: entry[0] as unknown, ...(isRecord(entry[1]) ? entry[1] : {}) };
  return isRecord(entry) ? entry : {};
};

/** The SDK's own texts in local and session storage. */
const StoredTable = (): ReactElement => {
  const [, drawAgain] = useState(0);
  const { local, session } = usePanel().page.world;
  const stored = [
    ...ownKeys(usePanel().page.world).map((key) => ['local storage', key, local] as const),
    ...session
      .keys()
      .filter((key) => Object.values<string>(sessionKeys).includes(key))
      .map((key) => ['session storage', key, session] as const),
  ];
  const rows = stored.map(([where, key, storage]) => {
    const onDelete = (): void => {
      storage.remove(key);
      drawAgain((times) => times + 1);
    };
    return [
      `${where} ${key}`,
      where,
      key,
      utf8Bytes(key + (storage.read(key) ?? '')),
      <button type="button" aria-label={`Delete ${key}`} onClick={onDelete}>
        Delete
      </button>,
    ] as const;
  });
  return <Table heads={['Where', 'Key', 'Bytes', 'Delete']} rows={rows} />;
};

const ownKeys = ({ local, setting }: World): readonly string[] => {
  const others: readonly string[] = [setting('stateNamespace'), ...Object.values(partnerKeys)];
  return local.keys().filter((key) => key.startsWith(ownPrefix) || others.includes(key));
};
