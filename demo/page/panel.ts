import { html } from 'hono/html';

/** The frame of the SDK panel; `assets/panel.js` fills it. */
export const panel = (
  apiUrl: string,
) => html`<button type="button" id="sdk-panel-toggle" class="panel-toggle" aria-expanded="false" aria-controls="sdk-panel" data-test="panel-toggle">
  SDK panel <span id="sdk-panel-count" class="panel-toggle-count" data-test="panel-toggle-count"></span>
</button>
<aside id="sdk-panel" class="panel" aria-labelledby="sdk-panel-title" data-api="${apiUrl}" data-test="panel" hidden>
  <div class="panel-head">
    <h2 id="sdk-panel-title" tabindex="-1" data-part="title">SDK panel</h2>
    <span class="panel-state" data-part="state" data-test="panel-state">Waiting for the SDK</span>
    <button type="button" class="panel-close" data-part="close" data-test="panel-close" aria-label="Close the SDK panel">×</button>
  </div>
  <div class="panel-body">
    <section aria-labelledby="panel-visitor">
      <h3 id="panel-visitor">Visitor</h3>
      <dl class="panel-ids">
        <div><dt>User</dt><dd data-part="user" data-test="panel-user">–</dd></div>
        <div><dt>Session</dt><dd data-part="session" data-test="panel-session">–</dd></div>
        <div><dt>View</dt><dd data-part="view" data-test="panel-view">–</dd></div>
      </dl>
    </section>
    <section aria-labelledby="panel-cohorts">
      <h3 id="panel-cohorts">Cohorts <span class="panel-badge" data-part="count" data-test="panel-count">0</span> <span class="panel-badge panel-rts" data-part="rts" data-test="panel-rts" title="The ad server has the cohorts of this very page" hidden>rts</span></h3>
      <ul class="panel-chips" data-part="cohorts" data-test="panel-cohorts"></ul>
    </section>
    <section aria-labelledby="panel-startup">
      <h3 id="panel-startup">Start-up <span class="panel-badge" data-part="startup-state" data-test="panel-startup-state">–</span></h3>
      <dl class="panel-pairs" data-part="startup" data-test="panel-startup"></dl>
    </section>
    <section aria-labelledby="panel-targeting">
      <h3 id="panel-targeting">Page targeting</h3>
      <dl class="panel-pairs" data-part="targeting" data-test="panel-targeting"></dl>
    </section>
    <section aria-labelledby="panel-events">
      <h3 id="panel-events">Last events</h3>
      <ol class="panel-events" data-part="events" data-test="panel-events"></ol>
    </section>
    <section aria-labelledby="panel-api">
      <h3 id="panel-api">Reference API <span class="panel-badge" data-part="api-state" data-test="panel-api-state">–</span></h3>
      <ol class="panel-events" data-part="api" data-test="panel-api"></ol>
    </section>
  </div>
</aside>`;
