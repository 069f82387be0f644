import * as vscode from 'vscode';
import { isInsideWorkspace } from '../../platform/fileScopes.ts';
import { readFileBytes } from '../attachments/fileAttachments.ts';

/** Maximum size in bytes of a file that is read while the user types. */
const largest = 256 * 1024;

/** Caches what a list shows of files while the user types to filter it. A file is only read again after it has changed. */
export class FileReadings<T> {
	readonly #parse: (text: string) => T;
	readonly #known = new Map<string, { readonly stamp: string; readonly value: T }>();
	#last: Promise<unknown> = Promise.resolve();

	constructor(parse: (text: string) => T) {
		this.#parse = parse;
	}

	/**
	 * Reads files one after another, so that other work gets its turn. Skips files that are large, can't be read, or lead out of the
	 * workspace by a link.
	 */
	readFiles(uris: readonly vscode.Uri[]): Promise<(readonly [vscode.Uri, T])[]> {
		const reading = this.#last.then(async () => {
			const found: (readonly [vscode.Uri, T])[] = [];
			for (const uri of uris) {
				const value = await this.#readFile(uri).catch(() => undefined);
				if (value !== undefined) {
					found.push([uri, value]);
				}
			}
			return found;
		});
		this.#last = reading;
		return reading;
	}

	async #readFile(uri: vscode.Uri): Promise<T | undefined> {
		const key = uri.toString();
		const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === key);
		const { mtime, size } = await vscode.workspace.fs.stat(uri);
		const stamp = `${mtime} ${size} ${open?.isDirty ? open.version : ''}`;
		const known = this.#known.get(key);
		if (known?.stamp === stamp) {
			return known.value;
		}
		if (size > largest || !isInsideWorkspace(uri)) {
			return undefined;
		}
		const value = this.#parse(Buffer.from(await readFileBytes(uri)).toString('utf8'));
		this.#known.set(key, { stamp, value });
		return value;
	}
}
