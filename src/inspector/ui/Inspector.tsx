import { type KeyboardEvent, type ReactElement, useRef, useState } from 'react';
import { auditTime, map, startWith } from 'rxjs';

import { simulationText } from '../simulation';
import { AdRequestsPanel } from './AdRequestsPanel';
import { CohortsPanel } from './CohortsPanel';
import { DeliveryPanel } from './DeliveryPanel';
import { HealthPanel } from './HealthPanel';
import type { InspectorProps } from './panelProps';
import { PartnersPanel } from './PartnersPanel';
import { arrowStep, PanelProvider, useLatest } from './parts';
import { ReplayPanel } from './ReplayPanel';
import { SimulatePanel } from './SimulatePanel';
import { StreamsPanel } from './StreamsPanel';
import { VisitorPanel } from './VisitorPanel';

const panels = {
  Streams: StreamsPanel,
  Cohorts: CohortsPanel,
  Delivery: DeliveryPanel,
  Visitor: VisitorPanel,
  Partners: PartnersPanel,
  'Ad requests': AdRequestsPanel,
  Health: HealthPanel,
  Replay: ReplayPanel,
  Simulate: SimulatePanel,
} as const;
type PanelName = keyof typeof panels;
const panelNames = Object.keys(panels) as readonly PanelName[];
/** An id has no space: attributes that refer to ids list them with spaces between. */
const tabId = (name: string): string => `tab-${name.replace(' ', '-')}`;

/** The panels draw no more often than this, in ms, however fast the page is. */
const drawMs = 250;

/**
 * Everything that happens between a call of the page and the request of a partner, in panels. Escape closes it; arrow
 * keys go from one tab to the next.
 */
export const InspectorWindow = ({ defined$, onClose, ...props }: InspectorProps): ReactElement => {
  const { log, simulation } = props;
  const [name, setName] = useState<PanelName>('Streams');
  const [selected, setSelected] = useState<number>();
  const entries = useLatest(() => log.entry$.pipe(auditTime(drawMs), startWith(undefined), map(log.entries)), []) ?? [];
  const defined = useLatest(() => defined$, []) ?? {};
  const tabs = useRef<HTMLDivElement>(null);
  const Panel = panels[name];
  const badge = simulationText(simulation);

  const onTabKey = ({ key }: KeyboardEvent): void => {
    const step = arrowStep(key);
    if (step === undefined) return;
    const next = (panelNames.indexOf(name) + step + panelNames.length) % panelNames.length;
    setName(panelNames[next] ?? name);
    tabs.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  const onShow = (id: number): void => {
    setSelected(id);
    setName('Streams');
  };
  return (
    <div className="inspector" onKeyDown={({ key }) => key === 'Escape' && onClose()}>
      <div className="bar">
        <h1>Inspector</h1>
        <div role="tablist" aria-label="Panels" ref={tabs} onKeyDown={onTabKey}>
          {panelNames.map((each) => (
            <button
              key={each}
              type="button"
              role="tab"
              id={tabId(each)}
              aria-controls="panel"
              aria-selected={each === name}
              tabIndex={each === name ? 0 : -1}
              onClick={() => setName(each)}
            >
              {each}
            </button>
          ))}
        </div>
        <span className="space" />
        {badge !== undefined && <span className="badge">{badge}</span>}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <div className="panel" id="panel" role="tabpanel" aria-labelledby={tabId(name)} tabIndex={0}>
        <PanelProvider value={{ ...props, entries, defined, selected, onShow }}>
          <Panel />
        </PanelProvider>
      </div>
    </div>
  );
};
