import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';
import { messageOf } from '../common/problems.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { AgentFileFault } from '../protocol/agents.ts';
import { type AgentFiles, isAgentFile } from './agentFiles.ts';
import { DocumentChecks } from './documentChecks.ts';
import { diagnosticSource } from './names.ts';

/** Keeps *Problems* up to date for open agent files, as the built-in gateway reads them: the same check as before a run. */
export class AgentFileDiagnostics extends DisposableBase {
	readonly #files: AgentFiles;
	readonly #log: vscode.LogOutputChannel;
	readonly #collection = this.own(vscode.languages.createDiagnosticCollection('agentWorkbench.agentFiles'));

	constructor(files: AgentFiles, connections: Connections, log: vscode.LogOutputChannel) {
		super();
		this.#files = files;
		this.#log = log;
		const checks = this.own(
			new DocumentChecks({
				isChecked: isAgentFile,
				check: document => this.#check(document),
				forget: uri => this.#collection.delete(uri),
			}),
		);
		this.own(connections.onDidChange(() => checks.checkAll()));
		checks.checkAll();
	}

	async #check(document: vscode.TextDocument): Promise<void> {
		const { version } = document;
		try {
			const check = await this.#files.checkIfReady(document);
			if (check && !document.isClosed && document.version === version && !this.disposed) {
				this.#collection.set(
					document.uri,
					check.faults.map(fault => diagnosticOf(document, fault)),
				);
			}
		} catch (error) {
			this.#log.warn(`Checking ${document.uri.toString(true)}: ${messageOf(error)}`);
		}
	}
}

function diagnosticOf(document: vscode.TextDocument, { message, line, path, severity }: AgentFileFault): vscode.Diagnostic {
	const { text, range, firstNonWhitespaceCharacterIndex: start } = document.lineAt(Math.min(Math.max(line - 1, 0), document.lineCount - 1));
	const place = new vscode.Range(range.start.line, start, range.end.line, text.trimEnd().length);
	const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
	const diagnostic = new vscode.Diagnostic(place, path === '' ? message : `${path}: ${message}`, level);
	diagnostic.source = diagnosticSource;
	diagnostic.code = 'agent-file';
	return diagnostic;
}
