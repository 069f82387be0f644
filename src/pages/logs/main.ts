import { LogsPage } from './logsPage.ts';

new LogsPage(document.body).start();
