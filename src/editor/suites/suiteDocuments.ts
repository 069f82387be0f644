import type * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage } from '#base/problems.ts';
import type { ReadSuite } from '#suites/suite.ts';
import { DocumentChecks } from '../platform/documentChecks.ts';
import { isSuitePath } from '../platform/names.ts';
import type { SuiteFiles } from './suiteFiles.ts';

interface SuiteDocumentsParts {
	readonly files: SuiteFiles;
	/** Called with the content of a suite when it changes. */
	readonly show: (uri: vscode.Uri, read: ReadSuite) => void;
	/** Called when a suite is closed. */
	readonly forget: (uri: vscode.Uri) => void;
	readonly log: vscode.LogOutputChannel;
}

/** Rereads open suites while they are edited. Sends no requests and starts no service. */
export class SuiteDocuments extends DisposableBase {
	readonly #parts: SuiteDocumentsParts;
	readonly #checks: DocumentChecks;

	constructor(parts: SuiteDocumentsParts) {
		super();
		this.#parts = parts;
		this.#checks = this.register(
			new DocumentChecks({
				isChecked: ({ uri }) => isSuitePath(uri.path),
				check: document => this.#checkSuite(document),
				forget: parts.forget,
			}),
		);
		this.recheckSuites();
	}

	/** Rereads all open suites, because something that they are checked against has changed. */
	recheckSuites(): void {
		this.#checks.recheckDocuments();
	}

	async #checkSuite(document: vscode.TextDocument): Promise<void> {
		const { version, uri } = document;
		try {
			const read = await this.#parts.files.readSuiteForDisplay(uri);
			if (!document.isClosed && document.version === version && !this.disposed) {
				this.#parts.show(uri, read);
			}
		} catch (error) {
			this.#parts.log.error(`Couldn't check ${uri.toString(true)}: ${getErrorMessage(error)}`);
		}
	}
}
