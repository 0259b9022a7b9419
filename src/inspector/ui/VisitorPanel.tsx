import { type ReactElement, useState } from 'react';

import { isRecord } from '../../codecs/codecs';
import { localKeys, ownPrefix, partnerKeys, sessionKeys } from '../../model/storageKeys';
import { utf8Bytes } from '../../primitives/utf8Bytes';
import type { World } from '../../visit/world';
import { shortText } from '../shortText';
import { ConsentSection } from './ConsentSection';
import { storedJson } from './pageReads';
import type { PanelProps } from './panelProps';
import { Pair, Table } from './parts';
import { StartupSection } from './StartupSection';

/** Consent, session and view, what start-up has found, identities, and what is stored where and how large. */
export const VisitorPanel = (props: PanelProps): ReactElement => {
  const { world, tag } = props.page;
  const context = isRecord(tag['context']) ? tag['context'] : {};
  return (
    <>
      <div className="columns">
        <section>
          <h2>Who and when</h2>
          <dl>
            <Pair name="User">{shortText(context['user_id'])}</Pair>
            <Pair name="Session">{shortText(context['session_id'])}</Pair>
            <Pair name="View">{shortText(context['view_id'])}</Pair>
          </dl>
          <h2>Consent</h2>
          <ConsentSection {...props} />
        </section>
        <section aria-label="Start-up">
          <h2>Start-up</h2>
          <StartupSection {...props} />
        </section>
      </div>
      <h2>Identities</h2>
      <IdentityTable world={world} />
      <h2>Stored by the SDK</h2>
      <StoredTable world={world} />
    </>
  );
};

const IdentityTable = ({ world }: { readonly world: World }): ReactElement => {
  const notes = storedJson(world)(localKeys.notes);
  const identities = isRecord(notes) && Array.isArray(notes['identities']) ? (notes['identities'] as unknown[]) : [];
  if (identities.length === 0) return <p className="soft">None is stored.</p>;
  return (
    <Table heads={['Tag', 'Priority', 'Until']}>
      {identities.map(identityOf).map(({ tag, priority, expiry }, i) => (
        <tr key={i}>
          <td>{shortText(tag)}</td>
          <td>{shortText(priority)}</td>
          <td>{until(expiry)}</td>
        </tr>
      ))}
    </Table>
  );
};

const StoredTable = ({ world }: { readonly world: World }): ReactElement => {
  const [, drawAgain] = useState(0);
  return (
    <Table heads={['Where', 'Key', 'Bytes', 'Delete']}>
      {storedBySdk(world).map(({ where, key, bytes, remove }) => (
        <tr key={`${where} ${key}`}>
          <td>{where}</td>
          <td>{key}</td>
          <td>{bytes}</td>
          <td>
            <button
              type="button"
              aria-label={`Delete ${key}`}
              onClick={() => {
                remove();
                drawAgain((times) => times + 1);
              }}
            >
              Delete
            </button>
          </td>
        </tr>
      ))}
    </Table>
  );
};

/** A stored identity: its own record, or the pair of tag and record. */
const identityOf = (entry: unknown): Readonly<Record<string, unknown>> => {
  if (Array.isArray(entry)) return { tag: entry[0] as unknown, ...(isRecord(entry[1]) ? entry[1] : {}) };
  return isRecord(entry) ? entry : {};
};

const until = (expiry: unknown): string => (typeof expiry === 'number' ? new Date(expiry).toISOString() : '');

interface StoredSize {
  readonly where: string;
  readonly key: string;
  readonly bytes: number;
  readonly remove: () => void;
}

/** The SDK's own texts in local and session storage. */
const storedBySdk = ({ local, session, setting }: World): readonly StoredSize[] => {
  const isOwn = (key: string): boolean =>
    key.startsWith(ownPrefix) || key === setting('stateNamespace') || Object.values<string>(partnerKeys).includes(key);
  const kept = Object.values<string>(sessionKeys);
  return [
    ...local
      .keys()
      .filter(isOwn)
      .map((key) => ['local storage', key, local] as const),
    ...session
      .keys()
      .filter((key) => kept.includes(key))
      .map((key) => ['session storage', key, session] as const),
  ].map(([where, key, storage]) => ({
    where,
    key,
    bytes: utf8Bytes(key + (storage.read(key) ?? '')),
    remove: () => storage.remove(key),
  }));
};
