import path from 'node:path';

/** The checkout, which contains package.json. */
export const root = path.resolve(import.meta.dirname, '../..');

/** Downloaded and generated files of tests and npm start; ignored by git, safe to delete while nothing runs. */
export const cacheFolder = path.join(root, '.vscode-test');

/** Screenshots and traces of failures. */
export const outFolder = path.join(cacheFolder, 'out');

/** Output of `npm run package`. */
export const packageFile = path.join(root, 'dist/agent-workbench.vsix');
