import type * as vscode from 'vscode';
import { AgentReading, readInSlices } from '#agentFile/reading/agentReading.ts';

/** A text of so many UTF-16 code units is read at once: within some milliseconds. */
const smallLength = 20_000;

interface Kept {
	readonly version: number;
	readonly reading: AgentReading;
}

/** What stands in the documents of agent files: each version of each is read once, for all that ask, of what was read of the one before. */
export class AgentReadings {
	readonly #kept = new WeakMap<vscode.TextDocument, Kept>();
	readonly #going = new WeakMap<vscode.TextDocument, Promise<void>>();

	/** The document as it is now. */
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

	/** Whether the document was read as it is now. */
	has(document: vscode.TextDocument): boolean {
		return this.#kept.get(document)?.version === document.version;
	}

	/** The same as `of` for who can wait: a large file that is new, or another one, is read in slices, between which the editor goes on. */
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
