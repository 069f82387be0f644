import { PromptPage } from './promptPage.ts';

new PromptPage(document.body).start();
