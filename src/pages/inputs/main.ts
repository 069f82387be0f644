import { InputsPage } from './inputsPage.ts';

new InputsPage(document.body).start();
