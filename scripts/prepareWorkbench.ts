// Installs VS Code's server and unpacks the browser, so that the first test doesn't have to wait for them.
import { launchBrowser } from './lib/browser.ts';

await (await launchBrowser()).close();
