import { openStage, type Stage, until } from './support/visit';
jest.setTimeout(20000);
let stage: Stage;
beforeAll(async () => { stage = await openStage(); });
afterAll(() => stage.close());
const settled = (p: Promise<unknown>, ms: number) => Promise.race([p.then(() => 'done', (e) => 'err ' + e), new Promise((r) => setTimeout(() => r('timeout'), ms))]);
test.each(['csp'])('%s', async (how) => {
  const v = await stage.visitor();
  await v.page.addInitScript(() => {
    const P = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: any, m: any, ...a: any[]) { console.log('PORT ' + JSON.stringify(m)?.slice(0, 200)); return (P as any).call(this, m, ...a); };
    window.addEventListener('unhandledrejection', (e) => console.log('UNHANDLED ' + e.reason));
  });
  v.page.on('console', (m) => console.log(m.type(), m.text()));
  await v.open('/blank?permutive_debug=true' + (how === 'csp' ? '&csp=noworker' : ''));
  const t = Date.now();
  const out = await settled(v.ready(), 4000);
  console.log(how, out, Date.now() - t);
});
