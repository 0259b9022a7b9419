import { startDemo } from './servers';

const { site, cdn, api } = await startDemo({ site: 8080, cdn: 8081, api: 8787 });
console.log(`Publisher pages  ${site}
Bundle           ${cdn}
Reference API    ${api}

Open the publisher pages; their button «Inspector» shows what the bundle does. Ctrl-C stops all three.`);
