import * as vscode from 'vscode';
import type { AgentDiagnostic } from '#agentFile/checks/agentFaults.ts';
import { filterGatewayFaults } from '#agentFile/checks/gatewayFaults.ts';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage } from '#base/problems.ts';
import type { AgentFileFault } from '#contract/agents.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { DocumentChecks } from '../../platform/documentChecks.ts';
import { diagnosticSource } from '../../platform/names.ts';
import type { AgentEditing } from '../editing/agentEditing.ts';
import { type AgentFiles, formatDuplicateNameMessage } from './agentFiles.ts';
import { isAgentFile } from './isAgentFile.ts';

interface AgentFileDiagnosticsParts {
	readonly files: AgentFiles;
	/** Loads the part that finds problems in the text alone. */
	readonly editing: () => Promise<Pick<AgentEditing, 'listFaults' | 'listLooseNodes'>>;
	readonly connections: Connections;
	readonly log: vscode.LogOutputChannel;
}

/** Shows the problems of open agent files: those found in the text and, if the gateway is running, those it reports. */
export class AgentFileDiagnostics extends DisposableBase {
	readonly #parts: AgentFileDiagnosticsParts;
	readonly #collection = this.register(vscode.languages.createDiagnosticCollection('agentWorkbench.agentFiles'));

	constructor(parts: AgentFileDiagnosticsParts) {
		super();
		this.#parts = parts;
		const checks = this.register(
			new DocumentChecks({
				isChecked: isAgentFile,
				check: document => this.#checkDocument(document),
				forget: uri => this.#collection.delete(uri),
			}),
		);
		this.register(parts.connections.onDidChange(() => checks.recheckDocuments()));
		checks.recheckDocuments();
	}

	async #checkDocument(document: vscode.TextDocument): Promise<void> {
		const { files, editing, log } = this.#parts;
		const { version } = document;
		const isCurrent = () => !document.isClosed && document.version === version && !this.disposed;
		try {
			const loaded = await editing();
			const own = await loaded.listFaults(document);
			const loose = await loaded.listLooseNodes(document);
			const showProblems = (others: readonly AgentFileFault[]) =>
				isCurrent() &&
				this.#collection.set(document.uri, [
					...own.map(fault => createTextDiagnostic(document, fault)),
					...others.map(fault => createGatewayDiagnostic(document, fault)),
					...loose.map(place => createLooseHint(document, place)),
				]);
			showProblems([]);
			const [checked, served] = await Promise.all([files.checkTextIfReady(document), files.findOtherServedFile(document.uri)]);
			const others = filterGatewayFaults(own, checked?.faults ?? []);
			if (served !== undefined) {
				const message = formatDuplicateNameMessage(files.getAgentName(document.uri), served);
				others.push({ message, line: 0, path: '', severity: 'warning' });
			}
			if (others.length > 0) {
				showProblems(others);
			}
		} catch (error) {
			log.warn(`Couldn't check ${document.uri.toString(true)}: ${getErrorMessage(error)}`);
		}
	}
}

function createTextDiagnostic(
	document: vscode.TextDocument,
	{ offset, length, message, severity, code }: AgentDiagnostic,
): vscode.Diagnostic {
	const start = document.positionAt(offset);
	// mark the first word instead of an object's opening brace, which is hard to see
	const range = (length === 1 && document.getWordRangeAtPosition(start)) || new vscode.Range(start, document.positionAt(offset + length));
	return createDiagnostic(range, message, severity, code);
}

/** Creates a hint, not a problem, because a node is loose while its agent is built. */
function createLooseHint(document: vscode.TextDocument, { offset, length }: { offset: number; length: number }): vscode.Diagnostic {
	const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
	const message = vscode.l10n.t('No edge leads to this node, so runs skip it.');
	const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Hint);
	diagnostic.source = diagnosticSource;
	diagnostic.tags = [vscode.DiagnosticTag.Unnecessary];
	return diagnostic;
}

function createGatewayDiagnostic(document: vscode.TextDocument, { message, line, path, severity }: AgentFileFault): vscode.Diagnostic {
	const { text, range, firstNonWhitespaceCharacterIndex: start } = document.lineAt(Math.min(Math.max(line - 1, 0), document.lineCount - 1));
	const place = new vscode.Range(range.start.line, start, range.end.line, text.trimEnd().length);
	return createDiagnostic(place, path === '' ? message : `${path}: ${message}`, severity, 'agent-file');
}

function createDiagnostic(range: vscode.Range, message: string, severity: AgentFileFault['severity'], code: string): vscode.Diagnostic {
	const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
	const diagnostic = new vscode.Diagnostic(range, message, level);
	diagnostic.source = diagnosticSource;
	diagnostic.code = code;
	return diagnostic;
}
