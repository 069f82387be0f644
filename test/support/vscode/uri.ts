import { URI, Utils } from 'vscode-uri';

/** The editor's own class, as its package has it, with the one function that the package keeps apart. */
export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });
