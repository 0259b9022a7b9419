/** Styles of the inspector's own document: light or dark as the system is, and down to the width of a phone. */
export const inspectorStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fdfdfb, #16181d); --panel: light-dark(#fff, #1d2027); --ink: light-dark(#1b1d21, #e8e8e6);
  --soft: light-dark(#5a5f68, #a3a8b2); --line: light-dark(#d9dade, #363b45); --accent: light-dark(#1a5fd0, #7fb0ff);
  --good: light-dark(#14733f, #6fd39b); --bad: light-dark(#b3261e, #ff8a80); --mark: light-dark(#fff3c4, #4a3f12);
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body {
  background: var(--ground); color: var(--ink);
  font: 13px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
#inspector { height: 100%; }
.inspector { display: grid; grid-template-rows: auto 1fr; height: 100%; }
.bar {
  display: flex; gap: 2px; align-items: center; padding: 4px 8px; border-bottom: 1px solid var(--line);
  background: var(--panel); overflow-x: auto;
}
.bar h1 { margin: 0 12px 0 4px; font-size: 13px; white-space: nowrap; }
.bar [role="tablist"] { display: flex; gap: 2px; flex: none; }
.bar .space { flex: 1; }
.bar > button { position: sticky; inset-inline-end: 0; background: var(--panel); }
button, input, select {
  min-height: 32px; padding: 4px 10px; font: inherit; color: inherit; background: none;
  border: 1px solid var(--line); border-radius: 6px;
}
button { cursor: pointer; }
button:hover { border-color: var(--accent); }
button:disabled { opacity: 0.5; cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
[role="tab"] { border-color: transparent; white-space: nowrap; }
[role="tab"][aria-selected="true"] { border-color: var(--accent); color: var(--accent); }
.link {
  min-height: 0; padding: 0; border: 0; color: var(--accent); text-decoration: underline; text-underline-offset: 2px;
  text-align: start;
}
.panel { overflow: auto; padding: 12px; }
.panel h2 { margin: 16px 0 6px; font-size: 13px; }
.panel h2:first-child { margin-top: 0; }
.split { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 24rem); gap: 16px; min-height: 100%; }
.columns {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 12px 16px;
  margin-top: 12px;
}
.columns:first-child { margin-top: 0; }
.whole { white-space: nowrap; }
.inline { display: flex; flex-wrap: wrap; gap: 2px 12px; padding: 0; list-style: none; }
.tools { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-bottom: 8px; }
.lane { display: grid; grid-template-columns: 7rem 1fr; align-items: center; border-bottom: 1px solid var(--line); }
.lane > span { color: var(--soft); }
.track { position: relative; height: 26px; overflow: hidden; }
.track::before { content: ""; position: absolute; inset: 50% 0 auto; border-top: 1px solid var(--line); }
.marble {
  position: absolute; top: 5px; width: 16px; min-height: 16px; height: 16px; margin-left: -8px; padding: 0;
  border: 2px solid var(--panel); border-radius: 50%; background: var(--accent);
}
.marble[data-lane="errors"] { background: var(--bad); }
.marble[data-lane="transitions"], .marble[data-lane="cohorts"] { background: var(--good); }
.marble[data-lane="effects"] { background: light-dark(#8a4bc9, #c99bff); }
.marble[data-lane="uploads"] { background: light-dark(#b8690b, #f0ad4e); }
.marble[aria-pressed="true"] { border-color: var(--ink); }
.axis { display: flex; justify-content: space-between; margin-inline-start: 7rem; color: var(--soft); }
pre {
  margin: 0; padding: 8px; overflow: auto; max-height: 16rem; background: var(--panel);
  border: 1px solid var(--line); border-radius: 6px; font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap;
  overflow-wrap: anywhere;
}
table { width: 100%; border-collapse: collapse; font: inherit; }
th, td {
  padding: 4px 8px; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; overflow-wrap: anywhere;
}
th { color: var(--soft); font-weight: 600; overflow-wrap: normal; }
ul, ol { margin: 0; padding-inline-start: 20px; }
.plain { padding: 0; list-style: none; }
.plain > li { padding: 4px 0; border-bottom: 1px solid var(--line); }
.panel h3 { margin: 10px 0 4px; font-size: 13px; font-weight: 600; color: var(--soft); }
.panel p { margin: 6px 0; }
.tree { margin: 0; padding: 0 0 0 2px; list-style: none; }
.tree .tree { margin-inline-start: 5px; padding-inline-start: 12px; border-inline-start: 1px solid var(--line); }
.tree li { padding: 3px 0; overflow-wrap: anywhere; }
.facts { padding-inline-start: 18px; color: var(--soft); }
.facts p { margin: 0; } .facts strong { color: var(--ink); }
summary { cursor: pointer; }
.facts ul { max-height: 10rem; overflow: auto; }
tr:has([aria-pressed="true"]) { background: var(--mark); }
div.chosen {
  position: sticky; top: 0; align-self: start; max-height: calc(100vh - 4.5rem); overflow: auto; scroll-margin: 12px;
}
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; } .soft { color: var(--soft); }
.badge { padding: 2px 8px; border-radius: 999px; background: var(--mark); white-space: nowrap; }
button.badge {
  width: 100%; height: 100%; border-radius: 0; color: var(--ink); overflow: hidden; text-overflow: ellipsis;
}
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
label { display: inline-flex; gap: 6px; align-items: center; }
@media (max-width: 640px) {
  .split { grid-template-columns: minmax(0, 1fr); } div.chosen { position: static; order: -1; max-height: none; }
  .lane { grid-template-columns: 5rem 1fr; } .axis { margin-inline-start: 5rem; }
  button, input, select { min-height: 40px; } .link { min-height: 0; } .marble { min-height: 16px; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;
