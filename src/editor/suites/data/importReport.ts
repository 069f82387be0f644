import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { NotMapped } from '#suites/exchange/importReading.ts';
import { diagnosticSource } from '../../platform/names.ts';

/** End of the marked range: the editor cuts it at the end of the line. */
const longestLine = 10_000;

/** Lists in the Problems view which parts of imported files aren't mapped, until the next import of the file, or until it changes. */
export class ImportReport extends DisposableBase {
	readonly #collection = this.register(vscode.languages.createDiagnosticCollection('agentWorkbench.import'));
	/** Files with problems by the imported file that names them. */
	readonly #files = new Map<string, readonly vscode.Uri[]>();

	constructor() {
		super();
		// the reported lines have moved
		this.register(
			vscode.workspace.onDidChangeTextDocument(
				({ document, contentChanges }) => contentChanges.length > 0 && this.#collection.delete(document.uri),
			),
		);
	}

	showNotMapped(imported: vscode.Uri, notMapped: readonly NotMapped[]): void {
		for (const uri of this.#files.get(imported.toString()) ?? []) {
			this.#collection.delete(uri);
		}
		const byFile = [...Map.groupBy(notMapped, ({ file }) => file)].map(([file, parts]) => [vscode.Uri.file(file), parts] as const);
		for (const [uri, parts] of byFile) {
			this.#collection.set(uri, parts.map(createDiagnostic));
		}
		this.#files.set(
			imported.toString(),
			byFile.map(([uri]) => uri),
		);
	}
}

function createDiagnostic({ line, path, message }: NotMapped): vscode.Diagnostic {
	const range = new vscode.Range(new vscode.Position(line - 1, 0), new vscode.Position(line - 1, longestLine));
	const diagnostic = new vscode.Diagnostic(range, path === '' ? message : `${path}: ${message}`, vscode.DiagnosticSeverity.Warning);
	diagnostic.source = diagnosticSource;
	diagnostic.code = 'not-mapped';
	return diagnostic;
}
