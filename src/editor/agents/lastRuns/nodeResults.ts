import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { NodeOutcome } from '#runs/following/nodeEnds.ts';

/** The result of a node in its last run that passed. */
interface NodeResult extends NodeOutcome {
	/** Key of the run. */
	readonly key: string;
	/** Content hash of the node that ran. */
	readonly text: string;
}

/** The results of the nodes of agent files that ran in this window. A run of a single node replaces only that node's result. */
export class NodeResults extends DisposableBase {
	readonly #files = new Map<string, Map<string, NodeResult>>();
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;

	/** Sets the results of a run. Nodes that failed have no result. */
	setResults(file: vscode.Uri, results: ReadonlyMap<string, NodeResult>, failed: Iterable<string>): void {
		const known = this.#files.get(file.toString()) ?? new Map<string, NodeResult>();
		this.#files.set(file.toString(), known);
		for (const id of failed) {
			known.delete(id);
		}
		for (const [id, result] of results) {
			known.set(id, result);
		}
		this.#changed.fire();
	}

	getResults(file: vscode.Uri): ReadonlyMap<string, NodeResult> | undefined {
		return this.#files.get(file.toString());
	}
}
