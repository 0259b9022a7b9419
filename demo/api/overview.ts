/** One call as the overview shows it. */
export interface Listed {
  readonly method: string;
  readonly path: string;
  readonly note: string;
}

/** What tests and people ask the API about itself. */
export const controlCalls: readonly Listed[] = [
  {
    method: 'GET',
    path: '/good',
    note: 'accepted events; ?name= ?user_id= ?since=count ?all=true: replaced completions too',
  },
  { method: 'GET', path: '/bad', note: 'what was refused, and why; ?since=count' },
  { method: 'GET', path: '/requests', note: 'all calls received; ?path= ?since=count' },
  { method: 'POST', path: '/reset', note: 'empties everything, the faults too' },
  { method: 'GET POST DELETE', path: '/faults', note: 'what is made to go wrong' },
];

export const overviewPage = (calls: readonly Listed[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Reference API</title>
<style>body { font: 15px/1.5 system-ui; margin: 2rem } td { padding-right: 1.5rem } code { font-size: 14px }</style>
<h1>Reference API</h1>
<h2>Calls of the SDK</h2>
${table(calls)}
<h2>Calls about the API itself</h2>
${table(controlCalls)}
</html>
`;

export const overviewText = (calls: readonly Listed[]): string =>
  calls.map(({ method, path, note }) => `  ${method.padEnd(16)} ${path}${note === '' ? '' : `  (${note})`}`).join('\n');

const table = (calls: readonly Listed[]): string =>
  `<table>${calls.map(({ method, path, note }) => `<tr><td>${method}<td><code>${escaped(path)}</code><td>${escaped(note)}`).join('\n')}</table>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
