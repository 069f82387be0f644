import { URI, Utils } from 'vscode-uri';

/** The editor's URI class from its npm package, with the function that the package exports separately. */
export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });
