import type * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { messageOf } from '#base/problems.ts';
import type { ReadSuite } from '#suites/suite.ts';
import { DocumentChecks } from '../platform/documentChecks.ts';
import { isSuitePath } from '../platform/names.ts';
import type { SuiteFiles } from './suiteFiles.ts';

interface SuiteDocumentsParts {
	readonly files: SuiteFiles;
	/** What a suite says now. */
	readonly show: (uri: vscode.Uri, read: ReadSuite) => void;
	/** A suite was closed. */
	readonly forget: (uri: vscode.Uri) => void;
	readonly log: vscode.LogOutputChannel;
}

/** Reads suites that are open in editors anew as they are written. Sends nothing and starts nothing. */
export class SuiteDocuments extends DisposableBase {
	readonly #parts: SuiteDocumentsParts;
	readonly #checks: DocumentChecks;

	constructor(parts: SuiteDocumentsParts) {
		super();
		this.#parts = parts;
		this.#checks = this.own(
			new DocumentChecks({ isChecked: ({ uri }) => isSuitePath(uri.path), check: document => this.#check(document), forget: parts.forget }),
		);
		this.checkAll();
	}

	/** Reads all of them anew: what they are checked against has changed. */
	checkAll(): void {
		this.#checks.checkAll();
	}

	async #check(document: vscode.TextDocument): Promise<void> {
		const { version, uri } = document;
		try {
			const read = await this.#parts.files.readForDisplay(uri);
			if (!document.isClosed && document.version === version && !this.disposed) {
				this.#parts.show(uri, read);
			}
		} catch (error) {
			this.#parts.log.error(`Checking ${uri.toString(true)}: ${messageOf(error)}`);
		}
	}
}
