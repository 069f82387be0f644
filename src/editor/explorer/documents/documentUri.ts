import * as vscode from 'vscode';

/** Scheme of the read-only documents of what a service has. */
export const documentScheme = 'agent-workbench';

/** What a document shows: all that is needed to fetch it again, so that it survives a reload. */
export interface DocumentTarget {
	readonly kind: 'run' | 'conversation';
	readonly connectionId: string;
	readonly agent: string;
	/** ID of the run or conversation. */
	readonly id: string;
	/** Whether it is shown whole, however large. */
	readonly full: boolean;
}

/** URI of a document: `agent-workbench:/run/CONNECTION/AGENT/ID/TITLE.json`, with `?full` where nothing is left out. */
export function toDocumentUri({ kind, connectionId, agent, id, full }: DocumentTarget): vscode.Uri {
	// the last part is the editor's title, and .json what gives it colours, folding and an outline
	const title = `${agent} ${id.slice(0, 8)}.json`;
	const path = ['', kind, ...[connectionId, agent, id, title].map(part => encodeURIComponent(part).replaceAll('%20', ' '))].join('/');
	return vscode.Uri.from({ scheme: documentScheme, path, query: full ? 'full' : '' });
}

/** What a URI of ours names; `undefined` if it is none. */
export function parseDocumentUri(uri: vscode.Uri): DocumentTarget | undefined {
	const [, kind, ...parts] = uri.path.split('/');
	const [connectionId, agent, id] = parts.map(decodeURIComponent);
	if ((kind !== 'run' && kind !== 'conversation') || !connectionId || !agent || !id || parts.length !== 4) {
		return undefined;
	}
	return { kind, connectionId, agent, id, full: uri.query === 'full' };
}
