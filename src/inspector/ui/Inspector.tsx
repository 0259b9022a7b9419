import { useObservable, useObservableState } from 'observable-hooks';
import { type KeyboardEvent, type ReactElement, useRef, useState } from 'react';
import { auditTime, map, startWith } from 'rxjs';

import type { Log } from '../log';
import type { LogEntry } from '../logEntry';
import { simulationText } from '../simulation';
import { CohortsPanel } from './CohortsPanel';
import { DeliveryPanel } from './DeliveryPanel';
import { HealthPanel } from './HealthPanel';
import type { InspectorProps } from './panelProps';
import { PartnersPanel } from './PartnersPanel';
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
  Health: HealthPanel,
  Replay: ReplayPanel,
  Simulate: SimulatePanel,
} as const;
type PanelName = keyof typeof panels;
const panelNames = Object.keys(panels) as readonly PanelName[];

/** The panels draw no more often than this, in ms, however fast the page is. */
const drawMs = 250;

/**
 * Everything that happens between a call of the page and the request of a partner, in panels. Escape closes it; arrow
 * keys go from one tab to the next.
 */
export const InspectorWindow = (props: InspectorProps): ReactElement => {
  const { log, simulation, defined$, onClose } = props;
  const [name, setName] = useState<PanelName>('Streams');
  const [selected, setSelected] = useState<number>();
  const entries = useEntries(log);
  const defined = useObservableState(defined$, {});
  const tabs = useRef<HTMLDivElement>(null);
  const Panel = panels[name];
  const badge = simulationText(simulation);

  const onTabKey = ({ key }: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
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
              id={`tab-${each}`}
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
      <div className="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${name}`} tabIndex={0}>
        <Panel {...props} {...{ entries, defined, onShow }} {...(name === 'Streams' && { selected, setSelected })} />
      </div>
    </div>
  );
};

/** The entries of the log, drawn anew while it grows. */
const useEntries = (log: Log): readonly LogEntry[] => {
  const entries$ = useObservable(() => log.entry$.pipe(auditTime(drawMs), startWith(undefined), map(log.entries)));
  return useObservableState(entries$, []);
};
