import * as vscode from 'vscode';
import type { Path } from '#agentFile/agentText.ts';
import { codeScheme } from '../../platform/names.ts';

/** A field of a node that is a program or a template. */
export interface CodePlace {
	/** The agent file. */
	readonly file: vscode.Uri;
	readonly node: string;
	/** From the node's `data`. */
	readonly path: Path;
}

/** What names of documents end in, by their languages. */
const endings = ['js', 'py', 'jinja'] as const;

/** The document of such a field; the path says its language, and what its tab is called. */
export function codeUri({ file, node, path }: CodePlace, ending: (typeof endings)[number]): vscode.Uri {
	const name = [node, ...(path.length > 1 ? path : [])].join('.').replaceAll(/[^\w.-]/g, '_');
	return vscode.Uri.from({
		scheme: codeScheme,
		// what knows languages tells documents apart by their paths alone
		path: `${file.path}/${name}.${ending}`,
		query: JSON.stringify({ file: file.toString(), node, path }),
	});
}

/** The field that a document is of; `undefined` for an address that nothing here makes: one of another spelling, or of what is no agent file. */
export function codePlace(uri: vscode.Uri): CodePlace | undefined {
	try {
		const { file, node, path } = JSON.parse(uri.query) as Record<string, unknown>;
		const isPath =
			Array.isArray(path) &&
			path.length > 0 &&
			path.every(key => (typeof key === 'string' && key !== '__proto__') || typeof key === 'number');
		if (typeof file !== 'string' || typeof node !== 'string' || !isPath) {
			return undefined;
		}
		const place = { file: vscode.Uri.parse(file, true), node, path };
		const isAgentFile = place.file.scheme === 'untitled' || /\.ya?ml$/i.test(place.file.path);
		const isOwn = endings.some(ending => codeUri(place, ending).toString() === uri.toString());
		return isAgentFile && isOwn ? place : undefined;
	} catch {
		return undefined;
	}
}
