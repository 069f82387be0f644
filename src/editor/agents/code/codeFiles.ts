import * as vscode from 'vscode';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import type { Path } from '#agentFile/agentText.ts';
import type { AgentReading } from '#agentFile/reading/agentReading.ts';
import { getValueAt } from '#agentFile/writing/valueEdits.ts';
import { DisposableBase } from '#base/disposables.ts';
import { getFieldText } from '#base/records/plainValues.ts';
import type { AgentReadings } from '../files/agentReadings.ts';
import { editGraph, isEditableUri } from '../graph/graphEdits.ts';
import { type CodePlace, createCodeUri, parseCodeUri } from './codeUri.ts';

/** Milliseconds to wait after an agent file changes before checking whether its code has changed. */
const gatherMs = 100;

/** The last known state of a code document. */
interface KnownCode {
	readonly uri: vscode.Uri;
	readonly text: string | undefined;
	/** Changes only when the code changes. Otherwise, VS Code would report save conflicts. */
	readonly mtime: number;
}

/**
 * Opens the code and templates of nodes as documents in their own language, with full language support. Saving such a document edits the
 * agent file, and changes of the agent file update the document.
 */
export class CodeFiles extends DisposableBase {
	readonly #changed: vscode.EventEmitter<vscode.FileChangeEvent[]>;
	readonly #readings: AgentReadings;
	readonly #known = new Map<string, KnownCode>();
	#timer: NodeJS.Timeout | undefined;
	/** Changed agent files to compare when the timer ends. */
	readonly #pending = new Set<vscode.TextDocument>();

	/** @param changed fires VS Code's change events */
	constructor(changed: vscode.EventEmitter<vscode.FileChangeEvent[]>, readings: AgentReadings) {
		super();
		this.#readings = readings;
		this.#changed = changed;
		this.register(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#scheduleComparison(document)));
		this.register(vscode.workspace.onDidCloseTextDocument(({ uri, isClosed }) => isClosed && this.#known.delete(uri.toString())));
		this.register({ dispose: () => clearTimeout(this.#timer) });
	}

	/** Opens a field of a node, in the agent file's column if the file is visible. */
	async openField(file: vscode.Uri, node: string, path: Path): Promise<void> {
		const data = getNodeData(await this.#readings.readDocument(await vscode.workspace.openTextDocument(file)), node);
		const ending = path[0] !== 'code' ? 'jinja' : getFieldText(data, 'code_language') === 'python3' ? 'py' : 'js';
		const column = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === file.toString())?.viewColumn;
		await vscode.window.showTextDocument(createCodeUri({ file, node, path }, ending), {
			viewColumn: column ?? vscode.ViewColumn.Active,
			preview: false,
		});
	}

	async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
		const { text = '', mtime } = await this.#readCode(uri);
		const place = parseCodeUri(uri);
		const isReadOnly = place && !isEditableUri(place.file);
		const size = Buffer.byteLength(text);
		return { type: vscode.FileType.File, ctime: 0, mtime, size, ...(isReadOnly ? { permissions: vscode.FilePermission.Readonly } : {}) };
	}

	async readFile(uri: vscode.Uri): Promise<Uint8Array> {
		const { text = '' } = await this.#readCode(uri);
		return Buffer.from(text);
	}

	/** Writes the code to the agent file as one undo step. Also saves the file if it had no unsaved changes. */
	async writeFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
		const place = parseCodeUri(uri);
		if (!place) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		const text = Buffer.from(bytes).toString().replaceAll('\r\n', '\n');
		const document = await vscode.workspace.openTextDocument(place.file);
		if (getCode(await this.#readings.readDocument(document), place) === undefined) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		const wasSaved = !document.isDirty;
		const before = this.#known.get(uri.toString());
		this.#updateKnownCode(uri, text);
		const edited = await editGraph(document, { do: 'set', node: place.node, path: place.path, value: text }, this.#readings);
		if ('refused' in edited) {
			// the write failed, so the next change must be compared with the previous state
			if (before) {
				this.#known.set(uri.toString(), before);
			} else {
				this.#known.delete(uri.toString());
			}
			throw vscode.FileSystemError.NoPermissions(edited.refused);
		}
		if (wasSaved && document.isDirty) {
			await document.save();
		}
	}

	/** Reads a document's code, or returns its last known state while the agent file can't be parsed. Throws if the field doesn't exist. */
	async #readCode(uri: vscode.Uri): Promise<KnownCode> {
		const place = parseCodeUri(uri);
		const text = place && (await this.#findCode(place));
		const known = text === 'unreadable' ? this.#known.get(uri.toString()) : this.#updateKnownCode(uri, text?.code);
		if (known?.text === undefined) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		return known;
	}

	async #findCode(place: CodePlace): Promise<FoundCode> {
		let document: vscode.TextDocument;
		try {
			document = await vscode.workspace.openTextDocument(place.file);
		} catch {
			// the file was deleted
			return undefined;
		}
		return getCode(await this.#readings.readDocument(document), place);
	}

	/** Records the current code of a document. */
	#updateKnownCode(uri: vscode.Uri, text: string | undefined): KnownCode {
		const key = uri.toString();
		const before = this.#known.get(key);
		if (before && before.text === text) {
			return before;
		}
		const now = { uri, text, mtime: Math.max(Date.now(), (before?.mtime ?? 0) + 1) };
		this.#known.set(key, now);
		return now;
	}

	/** Finds out which code documents of changed files have changed, and fires an event for them. */
	#scheduleComparison(file: vscode.TextDocument): void {
		if (this.#listCodeOfFile(file).length === 0) {
			return;
		}
		this.#pending.add(file);
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			const files = [...this.#pending];
			this.#pending.clear();
			const changes = files.flatMap(each => this.#findChanges(each));
			if (changes.length > 0) {
				this.#changed.fire(changes);
			}
		}, gatherMs);
	}

	#listCodeOfFile({ uri: file }: vscode.TextDocument): KnownCode[] {
		return [...this.#known.values()].filter(({ uri }) => parseCodeUri(uri)?.file.toString() === file.toString());
	}

	#findChanges(file: vscode.TextDocument): vscode.FileChangeEvent[] {
		const read = this.#readings.get(file);
		return this.#listCodeOfFile(file).flatMap(({ uri, text }) => {
			const place = parseCodeUri(uri);
			const now = place && getCode(read, place);
			if (now === 'unreadable' || now?.code === text) {
				return [];
			}
			this.#updateKnownCode(uri, now?.code);
			const { Created, Changed, Deleted } = vscode.FileChangeType;
			return [{ uri, type: now === undefined ? Deleted : text === undefined ? Created : Changed }];
		});
	}
}

/** Code found in a file: `undefined` if the node doesn't exist, `unreadable` while the file isn't valid YAML. */
type FoundCode = { readonly code: string } | 'unreadable' | undefined;

/** Returns empty code if the node doesn't have the field yet, or `undefined` if its value isn't a string. */
function getCode(read: AgentReading, { node, path }: CodePlace): FoundCode {
	if (read.error) {
		return 'unreadable';
	}
	const data = getNodeData(read, node);
	const holder = getValueAt(data, path.slice(0, -1));
	const value = getValueAt(data, path) ?? '';
	return typeof holder === 'object' && holder !== null && typeof value === 'string' ? { code: value } : undefined;
}

function getNodeData(read: AgentReading, node: string): Readonly<Record<string, unknown>> | undefined {
	return readAgentGraph(read.content).nodes.find(({ id }) => id === node)?.data;
}
