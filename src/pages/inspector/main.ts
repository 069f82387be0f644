import { InspectorPage } from './inspectorPage.ts';

new InspectorPage(document.body).start();
