import { ResultsPage } from './resultsPage.ts';

new ResultsPage(document.body).start();
