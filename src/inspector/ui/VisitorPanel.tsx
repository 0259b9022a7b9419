import { type ReactElement, useState } from 'react';

import { isRecord } from '../../codecs/codecs';
import { localKeys, ownPrefix, partnerKeys, sessionKeys } from '../../model/storageKeys';
import { utf8Bytes } from '../../primitives/utf8Bytes';
import type { World } from '../../visit/world';
import { shortText } from '../shortText';
import { ConsentSection } from './ConsentSection';
import { storedJson } from './pageReads';
import { Pairs, Table, usePanel } from './parts';
import { StartupSection } from './StartupSection';

/** Consent, session and view, what start-up has found, identities, and what is stored where and how large. */
export const VisitorPanel = (): ReactElement => {
  const { tag } = usePanel().page;
  const context = isRecord(tag['context']) ? tag['context'] : {};
  const ids = { User: 'user_id', Session: 'session_id', View: 'view_id' };
  return (
    <>
      <div className="columns">
        <section>
          <h2>Who and when</h2>
          <Pairs of={Object.entries(ids).map(([name, field]) => [name, shortText(context[field])])} />
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

const IdentityTable = (): ReactElement => {
  const notes = storedJson(usePanel().page.world)(localKeys.notes);
  const identities = isRecord(notes) && Array.isArray(notes['identities']) ? (notes['identities'] as unknown[]) : [];
  if (identities.length === 0) return <p className="soft">None is stored.</p>;
  const rows = identities.map(identityOf).map(({ tag, priority, expiry }, i) => {
    const until = typeof expiry === 'number' ? new Date(expiry).toISOString() : '';
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
