import * as vscode from 'vscode';
import type { ReadSuite, SuiteFault } from '#suites/suite.ts';
import { diagnosticSource } from '../platform/names.ts';

/**
 * Shows the problems of suites in the Problems view. Each problem is shown in the file that contains it: the suite, a run file or the
 * dataset.
 */
export class SuiteDiagnostics implements vscode.Disposable {
	readonly #collection = vscode.languages.createDiagnosticCollection('agentWorkbench.suites');
	/** Problems by suite, because several suites can report the same run file. */
	readonly #bySuite = new Map<string, readonly SuiteFault[]>();

	/** Updates the problems of a suite. */
	showFaults(suite: vscode.Uri, { faults }: Pick<ReadSuite, 'faults'>): void {
		const before = this.#bySuite.get(suite.toString()) ?? [];
		this.#bySuite.set(suite.toString(), faults);
		this.#updateFiles([...before, ...faults]);
	}

	/** Removes the problems of a deleted or closed suite. */
	removeFaults(suite: vscode.Uri): void {
		const before = this.#bySuite.get(suite.toString()) ?? [];
		this.#bySuite.delete(suite.toString());
		this.#updateFiles(before);
	}

	dispose(): void {
		this.#collection.dispose();
	}

	#updateFiles(changed: readonly SuiteFault[]): void {
		const all = [...this.#bySuite.values()].flat();
		for (const file of new Set(changed.map(fault => fault.file))) {
			const here = all.filter(fault => fault.file === file).map(toSuiteDiagnostic);
			this.#collection.set(vscode.Uri.file(file), removeDuplicates(here));
		}
	}
}

function toSuiteDiagnostic({ line, column, length, message, severity, code }: SuiteFault): vscode.Diagnostic {
	// a range over several lines would also underline correct text
	const start = new vscode.Position(line - 1, column - 1);
	const range = new vscode.Range(start, start.translate(0, Math.max(1, length)));
	const diagnostic = new vscode.Diagnostic(
		range,
		message,
		severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
	);
	diagnostic.source = diagnosticSource;
	diagnostic.code = code;
	return diagnostic;
}

function removeDuplicates(diagnostics: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
	return [...new Map(diagnostics.map(each => [`${each.range.start.line}:${each.range.start.character} ${each.message}`, each])).values()];
}
