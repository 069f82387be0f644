import { ReviewPage } from './reviewPage.ts';

new ReviewPage(document.body).start();
