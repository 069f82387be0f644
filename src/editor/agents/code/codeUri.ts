import * as vscode from 'vscode';
import type { Path } from '#agentFile/agentText.ts';
import { codeScheme } from '../../platform/names.ts';

/** A node's field that contains code or a template. */
export interface CodePlace {
	/** The agent file. */
	readonly file: vscode.Uri;
	readonly node: string;
	/** Path of the field, relative to the node's `data`. */
	readonly path: Path;
}

/** File extensions of code documents, which determine their languages. */
const endings = ['js', 'py', 'jinja'] as const;

/** Returns the URI of a code document. Its path determines the language and the title of the tab. */
export function createCodeUri({ file, node, path }: CodePlace, ending: (typeof endings)[number]): vscode.Uri {
	const name = [node, ...(path.length > 1 ? path : [])].join('.').replaceAll(/[^\w.-]/g, '_');
	return vscode.Uri.from({
		scheme: codeScheme,
		// some language extensions ignore the query, so the path alone must be unique
		path: `${file.path}/${name}.${ending}`,
		query: JSON.stringify({ file: file.toString(), node, path }),
	});
}

/** Parses the URI of a code document. Returns `undefined` unless {@link createCodeUri} returns exactly this URI for an agent file. */
export function parseCodeUri(uri: vscode.Uri): CodePlace | undefined {
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
		const isOwn = endings.some(ending => createCodeUri(place, ending).toString() === uri.toString());
		return isAgentFile && isOwn ? place : undefined;
	} catch {
		return undefined;
	}
}
