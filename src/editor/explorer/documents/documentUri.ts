import * as vscode from 'vscode';

/** URI scheme of the read-only documents that show a service's runs and conversations. */
export const documentScheme = 'agent-workbench';

/** Identifies the content of a document, so that the content can be fetched again after a reload. */
export interface DocumentTarget {
	readonly kind: 'run' | 'conversation';
	readonly connectionId: string;
	readonly agent: string;
	/** ID of the run or conversation. */
	readonly id: string;
	/** True to show the content completely, however long it is. */
	readonly full: boolean;
}

/** Returns the URI `agent-workbench:/run/CONNECTION/AGENT/ID/TITLE.json`, with `?full` if the document must not be shortened. */
export function toDocumentUri({ kind, connectionId, agent, id, full }: DocumentTarget): vscode.Uri {
	// the last part is the editor's title; the extension .json enables syntax colors, folding and the outline
	const title = `${agent} ${id.slice(0, 8)}.json`;
	const path = ['', kind, ...[connectionId, agent, id, title].map(part => encodeURIComponent(part).replaceAll('%20', ' '))].join('/');
	return vscode.Uri.from({ scheme: documentScheme, path, query: full ? 'full' : '' });
}

/** Parses a URI that {@link toDocumentUri} created. Returns `undefined` for any other. */
export function parseDocumentUri(uri: vscode.Uri): DocumentTarget | undefined {
	const [, kind, ...parts] = uri.path.split('/');
	const [connectionId, agent, id] = parts.map(decodeURIComponent);
	if ((kind !== 'run' && kind !== 'conversation') || !connectionId || !agent || !id || parts.length !== 4) {
		return undefined;
	}
	return { kind, connectionId, agent, id, full: uri.query === 'full' };
}
