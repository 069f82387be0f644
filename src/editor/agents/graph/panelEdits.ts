import * as vscode from 'vscode';
import type { FieldOperation, GraphOperation } from '#agentFile/edits/graphOperations.ts';
import { replaceNodeIds } from '#agentFile/edits/operationNodes.ts';
import { findReferrers } from '#agentFile/edits/referrers.ts';
import type { AgentReading } from '#agentFile/reading/agentReading.ts';
import { getErrorMessage } from '#base/problems.ts';
import { applyToData, hasSameTarget, isFieldOperation } from '#pages/graph/nodeForm/plainOperations.ts';
import { TypedEdits } from '#pages/graph/nodeForm/typedEdits.ts';
import { editGraph } from './graphEdits.ts';
import type { LivePicture } from './livePicture.ts';
import type { PanelForm } from './panelForm.ts';

/** An operation requested by a page. */
interface RequestedEdit {
	readonly operation: GraphOperation;
	/** Sequence number of the request. */
	readonly seq: number;
	/** Revision of the form that the page showed when it sent the request. */
	readonly form: number;
	/** Number of the last request that the page knew to be finished. */
	readonly done: number;
}

/** Callbacks of the panel whose page sends the requests. */
interface EditedPanel {
	/** Shows why a request was refused. */
	refuse(reason: string, error?: unknown): void;
	/** Selects new nodes that request number `by` created. */
	select(nodes: readonly string[], by: number): void;
	/** Called when a node's ID has changed. */
	onRenamed(from: string, to: string, by: number): void;
	/** Called when a request is finished or refused. */
	onFinished(seq: number): void;
}

/**
 * Applies the requests of a page to its document, one after the other. A page bases its requests on the last state it has received plus its
 * own pending requests, so the text may have changed since. An operation is applied to the current text, follows nodes that got new IDs,
 * and is refused if its list positions now refer to other items.
 */
export class PanelEdits {
	readonly #live: LivePicture;
	readonly #form: PanelForm;
	readonly #panel: EditedPanel;
	readonly #order: TypedEdits<RequestedEdit>;
	/** Recent field operations that may be newer than the form that the page has. */
	#since: readonly { readonly operation: FieldOperation; readonly seq: number }[] = [];
	/** New node IDs by old ID. */
	readonly #newIds = new Map<string, string>();

	constructor(live: LivePicture, form: PanelForm, panel: EditedPanel) {
		this.#live = live;
		this.#form = form;
		this.#panel = panel;
		this.#order = new TypedEdits(asked => this.#runStep(asked.seq, () => this.#applyEdit(asked)));
	}

	/** Records what the user is typing in a field. It's applied when the user pauses. */
	recordTyping(asked: RequestedEdit): void {
		this.#order.addTypedValue(asked);
	}

	/** Applies an operation after all earlier requests. Never rejects. */
	queueOperation(asked: RequestedEdit): Promise<void> {
		return this.#order.applyEdit(asked);
	}

	/** Runs another action, for example undo, after all earlier requests. Never rejects. */
	runActionInTurn(seq: number, act: () => Promise<void>): Promise<void> {
		return this.#order.runAfterEdits(() => this.#runStep(seq, act));
	}

	/** Applies typed text immediately. Resolves when all requests are finished. */
	flushEdits(): Promise<void> {
		return this.#order.flushEdits();
	}

	/** Applies an operation as part of a running step. */
	applyOperationNow(operation: Exclude<GraphOperation, FieldOperation>, seq: number): Promise<void> {
		return this.#applyEdit({ operation, seq, form: 0, done: 0 });
	}

	/** Runs a step and shows its error, if any, so that the following steps still run. */
	async #runStep(seq: number, act: () => Promise<void>): Promise<void> {
		try {
			await act();
		} catch (error) {
			this.#panel.refuse(getErrorMessage(error), error);
		}
		this.#form.setDoneRequest(seq);
		this.#panel.onFinished(seq);
	}

	async #applyEdit(asked: RequestedEdit): Promise<void> {
		const document = await this.#live.openDocument();
		this.#live.getCurrentPicture();
		const operation = this.#updateNodeIds(asked.operation);
		if (!this.#isTargetUnchanged(asked, operation)) {
			this.#panel.refuse(vscode.l10n.t('The list was changed in the file. Check it and try again.'));
			return;
		}
		if (operation.do === 'delete' && !(await confirmDelete(this.#live.reading, operation.nodes))) {
			return;
		}
		if (operation.do === 'rename') {
			this.#form.expectNodeId(operation.node, operation.id);
		}
		const result = await this.#live.runEdit(async () => {
			const edited = await editGraph(document, operation, this.#live.readings);
			this.#form.setDoneRequest(asked.seq);
			return edited;
		});
		if ('refused' in result) {
			this.#panel.refuse(result.refused);
		} else if (operation.do === 'rename') {
			this.#newIds.set(operation.node, operation.id);
			this.#newIds.delete(operation.id);
			this.#panel.onRenamed(operation.node, operation.id, asked.seq);
		} else if (result.made.length > 0) {
			this.#panel.select(result.made, asked.seq);
		}
	}

	/** Returns the current ID of a node that may have got a new one since the page sent its request. */
	getCurrentId(id: string): string {
		let node = id;
		const seen = new Set<string>();
		for (
			let next = this.#newIds.get(node);
			next !== undefined && this.#live.findNodeRange(node) === undefined;
			next = this.#newIds.get(node)
		) {
			if (seen.has(next)) {
				return id;
			}
			seen.add(next);
			node = next;
		}
		return node;
	}

	#updateNodeIds<Operation extends GraphOperation>(operation: Operation): Operation {
		return replaceNodeIds(operation, id => this.getCurrentId(id));
	}

	#isTargetUnchanged({ operation: asked, seq, form, done }: RequestedEdit, operation: GraphOperation): boolean {
		if (!isFieldOperation(asked) || !isFieldOperation(operation)) {
			return true;
		}
		const sent = this.#form.findSentData(form, asked.node);
		if (!sent) {
			return true;
		}
		const answered = Math.max(done, sent.done);
		this.#since = [...this.#since.filter(each => each.seq > answered), { operation: asked, seq }];
		// positions in the request take the page's earlier requests into account, even refused ones
		const known = this.#since
			.filter(each => each.seq < seq && this.#updateNodeIds(each.operation).node === operation.node)
			.reduce((data, each) => applyToData(data, each.operation), sent.data);
		return hasSameTarget(operation, known, this.#form.getCurrentData(operation.node));
	}
}

/** Maximum number of references listed in the question. */
const mostUses = 8;

/** Resolves to true if the nodes may be deleted. Asks the user first if other nodes refer to them. */
async function confirmDelete(file: AgentReading, nodes: readonly string[]): Promise<boolean> {
	const found = findReferrers(file, nodes);
	if (found.length === 0) {
		return true;
	}
	const uses = [...new Set(found.map(({ title, path, variable }) => `${title} (${path[0] ?? ''}): ${variable}`))];
	const more =
		uses.length > mostUses
			? [
					vscode.l10n.t({
						message: 'and {0} more',
						args: [uses.length - mostUses],
						comment: ['{0} is a number; the last line of a list that was cut off'],
					}),
				]
			: [];
	const remove = vscode.l10n.t('Delete');
	const choice = await vscode.window.showWarningMessage(
		vscode.l10n.t('Other nodes reference the nodes to delete. These references will no longer be valid.'),
		{ modal: true, detail: [...uses.slice(0, mostUses), ...more].join('\n') },
		remove,
	);
	return choice === remove;
}
