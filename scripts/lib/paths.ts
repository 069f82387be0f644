import path from 'node:path';

/** The checkout: the folder of package.json. */
export const root = path.resolve(import.meta.dirname, '../..');

/** What the tests and npm start download, unpack or leave behind; ignored by git, safe to delete while nothing runs. */
export const cacheFolder = path.join(root, '.vscode-test');

/** Screenshots and traces of failures. */
export const outFolder = path.join(cacheFolder, 'out');

/** What `npm run package` makes. */
export const packageFile = path.join(root, 'dist/agent-workbench.vsix');
