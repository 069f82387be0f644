import type * as vscode from 'vscode';
import { AgentReading, readInSlices } from '#agentFile/reading/agentReading.ts';

/** Maximum length of a text, in UTF-16 units, to parse at once. That takes a few milliseconds. */
const smallLength = 20_000;

interface Kept {
	readonly version: number;
	readonly reading: AgentReading;
}

/** Parses agent files and caches the result for each document. A new version is parsed incrementally from the previous one. */
export class AgentReadings {
	readonly #cached = new WeakMap<vscode.TextDocument, Kept>();
	readonly #pending = new WeakMap<vscode.TextDocument, Promise<void>>();

	/** Returns the parsed current version. Parses it synchronously if necessary. */
	get(document: vscode.TextDocument): AgentReading {
		const { version } = document;
		const kept = this.#cached.get(document);
		if (kept?.version === version) {
			return kept.reading;
		}
		const reading = new AgentReading(document.getText(), kept?.reading.parts);
		this.#cached.set(document, { version, reading });
		return reading;
	}

	/** True if the current version is already parsed. */
	isParsed(document: vscode.TextDocument): boolean {
		return this.#cached.get(document)?.version === document.version;
	}

	/** Like {@link get}, but parses large files in slices, so that VS Code stays responsive. */
	async readDocument(document: vscode.TextDocument): Promise<AgentReading> {
		if (!this.isParsed(document) && document.getText().length > smallLength) {
			const going = this.#pending.get(document) ?? this.#parseInSlices(document).finally(() => this.#pending.delete(document));
			this.#pending.set(document, going);
			await going;
		}
		return this.get(document);
	}

	async #parseInSlices(document: vscode.TextDocument): Promise<void> {
		for (let version = -1; version !== document.version && !document.isClosed; ) {
			version = document.version;
			const text = document.getText();
			const known = await readInSlices(
				text,
				this.#cached.get(document)?.reading.parts ?? {},
				() => new Promise(resolve => setImmediate(resolve)),
			);
			if (version === document.version) {
				this.#cached.set(document, { version, reading: new AgentReading(text, known) });
			}
		}
	}
}
