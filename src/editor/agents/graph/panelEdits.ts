import * as vscode from 'vscode';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import { referrers } from '#agentFile/edits/referrers.ts';
import type { AgentReading } from '#agentFile/reading/agentReading.ts';
import { messageOf } from '#base/problems.ts';
import { applyToData, type FieldOperation, hasSameTarget, isFieldOperation } from '#pages/graph/nodeForm/plainOperations.ts';
import { TypedEdits } from '#pages/graph/nodeForm/typedEdits.ts';
import { editGraph } from './graphEdits.ts';
import type { LivePicture } from './livePicture.ts';
import type { PanelForm } from './panelForm.ts';

/** An operation that a page asked for. */
interface RequestedEdit {
	readonly operation: GraphOperation;
	/** Its number among all that the page asked for. */
	readonly seq: number;
	/** Revision of the form that the page had then. */
	readonly form: number;
	/** The last of these that the page knew to be done, or refused. */
	readonly done: number;
}

/** What edits need of the panel around them. */
interface EditedPanel {
	/** Tells why something cannot be done. */
	refuse(sentence: string, error?: unknown): void;
	/** Nodes that came of what was asked for are to be selected. */
	select(nodes: readonly string[], by: number): void;
	/** A node has another ID. */
	onRenamed(from: string, to: string, by: number): void;
	/** What was asked for is done, or was refused. */
	onFinished(seq: number): void;
}

/**
 * What a page asks to have done to its document, one after the other in the order in which it was asked for. A page asks of what it was told last, and what it asked for since: an operation
 * is made of the text as it is when its turn comes, follows nodes to IDs that they got meanwhile, and is refused in words where its places in lists mean other items by then.
 */
export class PanelEdits {
	readonly #live: LivePicture;
	readonly #form: PanelForm;
	readonly #panel: EditedPanel;
	readonly #order: TypedEdits<RequestedEdit>;
	/** Operations on fields that a page may have asked for after the form that it has. */
	#since: readonly { readonly operation: FieldOperation; readonly seq: number }[] = [];
	/** IDs that nodes got, by those that they had. */
	readonly #newIds = new Map<string, string>();

	constructor(live: LivePicture, form: PanelForm, panel: EditedPanel) {
		this.#live = live;
		this.#form = form;
		this.#panel = panel;
		this.#order = new TypedEdits(asked => this.#runStep(asked.seq, () => this.#applyEdit(asked)));
	}

	/** What a field holds while someone types in it: done at the next pause. */
	recordTyping(asked: RequestedEdit): void {
		this.#order.addTyped(asked);
	}

	/** Does an operation in its turn. Never rejects. */
	edit(asked: RequestedEdit): Promise<void> {
		return this.#order.edit(asked);
	}

	/** Does something else in its turn, such as undo. Never rejects. */
	runInTurn(seq: number, act: () => Promise<void>): Promise<void> {
		return this.#order.runStep(() => this.#runStep(seq, act));
	}

	/** Puts in what was typed. Resolves when all that was asked for is done. */
	flush(): Promise<void> {
		return this.#order.flush();
	}

	/** Does an operation as a part of a step. */
	applyNow(operation: Exclude<GraphOperation, FieldOperation>, seq: number): Promise<void> {
		return this.#applyEdit({ operation, seq, form: 0, done: 0 });
	}

	/** One that fails is told, and holds up no other. */
	async #runStep(seq: number, act: () => Promise<void>): Promise<void> {
		try {
			await act();
		} catch (error) {
			this.#panel.refuse(messageOf(error), error);
		}
		this.#form.setDone(seq);
		this.#panel.onFinished(seq);
	}

	async #applyEdit(asked: RequestedEdit): Promise<void> {
		const document = await this.#live.openDocument();
		this.#live.getCurrent();
		const operation = this.#withCurrentId(asked.operation);
		if (!this.#hasSameMeaning(asked, operation)) {
			this.#panel.refuse(vscode.l10n.t('The list has changed in the file meanwhile: look at it, and do that again.'));
			return;
		}
		if (operation.do === 'delete' && !(await confirmDelete(this.#live.reading, operation.nodes))) {
			return;
		}
		if (operation.do === 'rename') {
			this.#form.expectId(operation.node, operation.id);
		}
		const result = await this.#live.runEdit(async () => {
			const edited = await editGraph(document, operation, this.#live.readings);
			this.#form.setDone(asked.seq);
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

	/** The same operation where its node has another ID by now. */
	#withCurrentId<Operation extends GraphOperation>(operation: Operation): Operation {
		if (!(isFieldOperation(operation) || operation.do === 'rename') || operation.node === undefined) {
			return operation;
		}
		let { node } = operation;
		for (const seen = new Set([node]); this.#live.findRange(node) === undefined; seen.add(node)) {
			const next = this.#newIds.get(node);
			if (next === undefined || seen.has(next)) {
				return operation;
			}
			node = next;
		}
		return { ...operation, node };
	}

	#hasSameMeaning({ operation: asked, seq, form, done }: RequestedEdit, operation: GraphOperation): boolean {
		if (!isFieldOperation(asked) || !isFieldOperation(operation)) {
			return true;
		}
		const told = this.#form.findSentData(form, asked.node);
		if (!told) {
			return true;
		}
		const answered = Math.max(done, told.done);
		this.#since = [...this.#since.filter(each => each.seq > answered), { operation: asked, seq }];
		// what the page asked for before, done or refused, is in what it meant by a place
		const known = this.#since
			.filter(each => each.seq < seq && this.#withCurrentId(each.operation).node === operation.node)
			.reduce((data, each) => applyToData(data, each.operation), told.data);
		return hasSameTarget(operation, known, this.#form.getCurrentData(operation.node));
	}
}

/** More of those that refer are counted. */
const mostUses = 8;

/** Whether nodes may go: asks where others refer to them, and says which. */
async function confirmDelete(file: AgentReading, nodes: readonly string[]): Promise<boolean> {
	const found = referrers(file, nodes);
	if (found.length === 0) {
		return true;
	}
	const uses = [...new Set(found.map(({ title, path, variable }) => `${title} (${path[0] ?? ''}): ${variable}`))];
	const more = uses.length > mostUses ? [vscode.l10n.t('and {0} more', uses.length - mostUses)] : [];
	const remove = vscode.l10n.t('Delete');
	const choice = await vscode.window.showWarningMessage(
		vscode.l10n.t('Other nodes refer to what is deleted. Their references stay, and are wrong then.'),
		{ modal: true, detail: [...uses.slice(0, mostUses), ...more].join('\n') },
		remove,
	);
	return choice === remove;
}
