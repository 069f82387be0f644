import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { messageOf } from '#base/problems.ts';
import type { TextFault } from '#base/text/textFaults.ts';
import type { Connections } from '../../../connections/connectionTypes.ts';
import { DocumentChecks } from '../../../platform/documentChecks.ts';
import { diagnosticSource, isRunFilePath } from '../../../platform/names.ts';
import type { FileTargets } from '../fileTargets.ts';
import type { RunFileService } from '../runFileService.ts';

/** Keeps *Problems* up to date for open run files. Sends nothing and starts nothing. */
export class RunFileDiagnostics extends DisposableBase {
	readonly #files: RunFileService;
	readonly #log: vscode.LogOutputChannel;
	readonly #collection = this.own(vscode.languages.createDiagnosticCollection('agentWorkbench.runFiles'));
	/** Files of another name that were run and had faults: they are checked as long as they are open. */
	readonly #others = new Set<string>();

	constructor(files: RunFileService, connections: Connections, targets: FileTargets, log: vscode.LogOutputChannel) {
		super();
		this.#files = files;
		this.#log = log;
		const checks = this.own(
			new DocumentChecks({
				isChecked: ({ uri }) => isRunFilePath(uri.path) || this.#others.has(uri.toString()),
				check: document => this.#check(document),
				forget: uri => {
					this.#others.delete(uri.toString());
					this.#collection.delete(uri);
				},
			}),
		);
		const checkAll = () => checks.checkAll();
		this.own(connections.onDidChange(checkAll));
		this.own(connections.onDidChangeAgents(checkAll));
		this.own(targets.onDidChoose(checkAll));
		checkAll();
	}

	/** Shows the faults that were found on running a file. */
	show(document: vscode.TextDocument, faults: readonly TextFault[]): void {
		if (!isRunFilePath(document.uri.path) && faults.length > 0) {
			this.#others.add(document.uri.toString());
		}
		const told = isCheckedForSyntax(document) ? faults.filter(({ code }) => code !== 'syntax') : faults;
		this.#collection.set(
			document.uri,
			told.map(fault => diagnosticOf(document, fault)),
		);
	}

	async #check(document: vscode.TextDocument): Promise<void> {
		const { version } = document;
		try {
			const faults = await this.#files.check(document);
			if (!document.isClosed && document.version === version && !this.disposed) {
				this.show(document, faults);
			}
		} catch (error) {
			this.#log.error(`Checking ${document.uri.toString(true)}: ${messageOf(error)}`);
		}
	}
}

/** Whether VS Code's own JSON support tells what is wrong with the syntax; it need not be told twice. */
function isCheckedForSyntax(document: vscode.TextDocument): boolean {
	return (
		document.languageId === 'json' &&
		document.getText().trim() !== '' &&
		vscode.extensions.getExtension('vscode.json-language-features') !== undefined &&
		vscode.workspace.getConfiguration('json', document).get('validate.enable', true)
	);
}

function diagnosticOf(document: vscode.TextDocument, fault: TextFault): vscode.Diagnostic {
	const range = new vscode.Range(document.positionAt(fault.offset), document.positionAt(fault.offset + fault.length));
	const severity = fault.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
	const diagnostic = new vscode.Diagnostic(range, fault.message, severity);
	diagnostic.source = diagnosticSource;
	diagnostic.code = fault.code;
	return diagnostic;
}
