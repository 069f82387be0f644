import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import { ChatPage } from './chatPage.ts';

new ChatPage(document.body).start();
