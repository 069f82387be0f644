import type * as vscode from 'vscode';
import { AgentReading, readInSlices } from '#agentFile/reading/agentReading.ts';

/** Texts up to this length (in UTF-16 units) are parsed synchronously, in a few milliseconds. */
const smallLength = 20_000;

interface Kept {
	readonly version: number;
	readonly reading: AgentReading;
}

/** Caches the parsed reading of each document version, built incrementally from the previous one. */
export class AgentReadings {
	readonly #kept = new WeakMap<vscode.TextDocument, Kept>();
	readonly #going = new WeakMap<vscode.TextDocument, Promise<void>>();

	/** Returns the reading of the current version, parsing synchronously if necessary. */
	of(document: vscode.TextDocument): AgentReading {
		const { version } = document;
		const kept = this.#kept.get(document);
		if (kept?.version === version) {
			return kept.reading;
		}
		const reading = new AgentReading(document.getText(), kept?.reading.parts);
		this.#kept.set(document, { version, reading });
		return reading;
	}

	/** True if the current version is already parsed. */
	has(document: vscode.TextDocument): boolean {
		return this.#kept.get(document)?.version === document.version;
	}

	/** Like `of`, but parses large files in slices, so that the editor stays responsive. */
	async ready(document: vscode.TextDocument): Promise<AgentReading> {
		if (!this.has(document) && document.getText().length > smallLength) {
			const going = this.#going.get(document) ?? this.#read(document).finally(() => this.#going.delete(document));
			this.#going.set(document, going);
			await going;
		}
		return this.of(document);
	}

	async #read(document: vscode.TextDocument): Promise<void> {
		for (let version = -1; version !== document.version && !document.isClosed; ) {
			version = document.version;
			const text = document.getText();
			const known = await readInSlices(
				text,
				this.#kept.get(document)?.reading.parts ?? {},
				() => new Promise(resolve => setImmediate(resolve)),
			);
			if (version === document.version) {
				this.#kept.set(document, { version, reading: new AgentReading(text, known) });
			}
		}
	}
}
