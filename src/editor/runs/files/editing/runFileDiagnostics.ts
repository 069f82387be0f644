import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage } from '#base/problems.ts';
import type { TextFault } from '#base/text/textFaults.ts';
import type { Connections } from '../../../connections/connectionTypes.ts';
import { DocumentChecks } from '../../../platform/documentChecks.ts';
import { diagnosticSource, isRunFilePath } from '../../../platform/names.ts';
import type { FileTargets } from '../fileTargets.ts';
import type { RunFileService } from '../runFileService.ts';

/** Updates the diagnostics of open run files. Doesn't send requests or start a service. */
export class RunFileDiagnostics extends DisposableBase {
	readonly #files: RunFileService;
	readonly #log: vscode.LogOutputChannel;
	readonly #collection = this.register(vscode.languages.createDiagnosticCollection('agentWorkbench.runFiles'));
	/** URIs of run files with unusual names that had problems when they were run. They are checked while they are open. */
	readonly #others = new Set<string>();

	constructor(files: RunFileService, connections: Connections, targets: FileTargets, log: vscode.LogOutputChannel) {
		super();
		this.#files = files;
		this.#log = log;
		const checks = this.register(
			new DocumentChecks({
				isChecked: ({ uri }) => isRunFilePath(uri.path) || this.#others.has(uri.toString()),
				check: document => this.#checkDocument(document),
				forget: uri => {
					this.#others.delete(uri.toString());
					this.#collection.delete(uri);
				},
			}),
		);
		const recheckRunFiles = () => checks.recheckDocuments();
		this.register(connections.onDidChange(recheckRunFiles));
		this.register(connections.onDidChangeAgents(recheckRunFiles));
		this.register(targets.onDidChoose(recheckRunFiles));
		recheckRunFiles();
	}

	/** Shows the problems found when a file was run. */
	showFaults(document: vscode.TextDocument, faults: readonly TextFault[]): void {
		if (!isRunFilePath(document.uri.path) && faults.length > 0) {
			this.#others.add(document.uri.toString());
		}
		const shown = isCheckedForSyntax(document) ? faults.filter(({ code }) => code !== 'syntax') : faults;
		this.#collection.set(
			document.uri,
			shown.map(fault => toDiagnostic(document, fault)),
		);
	}

	async #checkDocument(document: vscode.TextDocument): Promise<void> {
		const { version } = document;
		try {
			const faults = await this.#files.checkRunFile(document);
			if (!document.isClosed && document.version === version && !this.disposed) {
				this.showFaults(document, faults);
			}
		} catch (error) {
			this.#log.error(`Couldn't check ${document.uri.toString(true)}: ${getErrorMessage(error)}`);
		}
	}
}

/** True if VS Code's JSON support already reports syntax errors, which must not be reported twice. */
function isCheckedForSyntax(document: vscode.TextDocument): boolean {
	return (
		document.languageId === 'json' &&
		document.getText().trim() !== '' &&
		vscode.extensions.getExtension('vscode.json-language-features') !== undefined &&
		vscode.workspace.getConfiguration('json', document).get('validate.enable', true)
	);
}

function toDiagnostic(document: vscode.TextDocument, fault: TextFault): vscode.Diagnostic {
	const range = new vscode.Range(document.positionAt(fault.offset), document.positionAt(fault.offset + fault.length));
	const severity = fault.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
	const diagnostic = new vscode.Diagnostic(range, fault.message, severity);
	diagnostic.source = diagnosticSource;
	diagnostic.code = fault.code;
	return diagnostic;
}
