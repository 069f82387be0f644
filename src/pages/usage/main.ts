import { UsagePage } from './usagePage.ts';

new UsagePage(document.body).start();
