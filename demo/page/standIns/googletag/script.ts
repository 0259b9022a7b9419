import { installGoogletag } from './install';

// data-api="config" on the script element leaves out the targeting calls that googletag.setConfig has replaced.
installGoogletag((document.currentScript as HTMLScriptElement | null)?.dataset['api'] !== 'config');
