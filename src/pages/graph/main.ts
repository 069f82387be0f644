import { GraphPage } from './graphPage.ts';

new GraphPage(document.body).start();
