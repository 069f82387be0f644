import type * as vscode from 'vscode';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import type { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { DisposableBase } from '#base/disposables.ts';
import { getField } from '#base/records/plainValues.ts';
import type { DataFault } from '#pages/graph/nodeForm/formFaults.ts';
import type { NodeForm } from '#pages/graph/nodeForm/formTypes.ts';
import { createAgentForm, createNodeForm } from '#pages/graph/nodeForm/nodeForm.ts';
import { isEditableUri } from './graphEdits.ts';
import type { LivePicture } from './livePicture.ts';
import { translateForm } from './translateForm.ts';

/** Data that forms need in addition to the agent file's text. */
export interface FormSources {
	readonly schema: AgentSchema;
	/** Returns the problems of an agent file that the Problems view lists. */
	readonly listFaults: (document: vscode.TextDocument) => Promise<readonly DataFault[]>;
	/** Returns the names of available models. */
	readonly listModels: () => Promise<readonly string[]>;
}

/** Data that a form was created from: the `data` of the node, or the whole file for the agent's form, and the last edit it includes. */
interface SentData {
	readonly node: string | undefined;
	readonly data: unknown;
	readonly done: number;
}

/** Number of recent forms to remember, because a request from the page may be based on any of them. */
const maxSentData = 50;

/** The form next to a graph, which edits the selected node or the agent itself. */
export class PanelForm extends DisposableBase {
	readonly #live: LivePicture;
	readonly #sources: FormSources;
	readonly #post: (form: NodeForm | undefined, revision: number) => void;
	#done = 0;
	/** Data of recently sent forms by revision. */
	readonly #sentData = new Map<number, SentData>();
	#revision = 0;
	/** The shown node, or `agent` for the agent's own form. */
	#node: { readonly id: string } | 'agent' | undefined;
	/** New ID of the shown node, if a rename is pending. */
	#nextId: string | undefined;
	#faults: readonly DataFault[] = [];
	#models: readonly string[] = [];
	/** True if the form is sent when the running edit ends. */
	#isSendPending = false;
	/** Counts asynchronous updates. Only the result of the last one is used. */
	#asked = 0;

	constructor(live: LivePicture, sources: FormSources, post: (form: NodeForm | undefined, revision: number) => void) {
		super();
		this.#live = live;
		this.#sources = sources;
		this.#post = post;
		this.register(live.onDidChange(() => this.#node !== undefined && this.send()));
		this.register(live.onDidEdit(() => this.#isSendPending && this.send()));
	}

	/** True if the text can be edited. */
	get editable(): boolean {
		return isEditableUri(this.#live.document.uri);
	}

	/** Remembers the new ID of a node that is about to be renamed, so that its form stays open. */
	expectNodeId(node: string, id: string): void {
		if (typeof this.#node === 'object' && this.#node.id === node) {
			this.#nextId = id;
		}
	}

	async selectNodes(nodes: readonly string[]): Promise<void> {
		const [id, ...others] = nodes;
		const node = id !== undefined && others.length === 0 ? { id } : undefined;
		this.#nextId = undefined;
		const before = this.#node;
		if (before === 'agent' || node?.id !== before?.id) {
			await this.#showNode(node);
		}
	}

	/** Shows the form of the agent itself. */
	showAgent(): Promise<void> {
		return this.#showNode('agent');
	}

	async #showNode(node: { readonly id: string } | 'agent' | undefined): Promise<void> {
		this.#node = node;
		this.send();
		if (node !== undefined) {
			await Promise.all([this.updateFaults(), this.#loadModels()]);
		}
	}

	/** Updates the problems in the form after the file was checked. */
	async updateFaults(): Promise<void> {
		if (this.#node === undefined) {
			return;
		}
		const asked = ++this.#asked;
		const faults = await this.#sources.listFaults(this.#live.document);
		if (asked === this.#asked && !this.disposed) {
			this.#faults = faults;
			this.send();
		}
	}

	/** Sends the current form. Waits for a running edit: the page would apply the edit again to a form that already includes it. */
	send(): void {
		this.#isSendPending = this.#live.isEditing;
		if (this.#isSendPending) {
			return;
		}
		const node = this.#node;
		const parts = {
			content: this.#live.content,
			schema: this.#sources.schema,
			faults: this.#faults,
			models: this.#models,
			editable: this.editable,
		};
		const next = this.#nextId;
		const form =
			node === 'agent'
				? createAgentForm(parts)
				: node && (createNodeForm(node.id, parts) ?? (next === undefined ? undefined : createNodeForm(next, parts)));
		this.#recordSentForm(form);
		this.#post(form && translateForm(form), this.#revision);
	}

	/** Number of the last page request that the text includes. The text also includes all earlier ones. */
	get done(): number {
		return this.#done;
	}

	/** Records that the text includes the page's requests up to this number. */
	setDoneRequest(seq: number): void {
		this.#done = Math.max(this.#done, seq);
	}

	/** Returns the data that a revision of a node's form was created from, or the oldest known data if that revision is too old. */
	findSentData(revision: number, node: string | undefined): SentData | undefined {
		const sent = [...this.#sentData].filter(([, each]) => each.node === node && each.data !== undefined);
		return (sent.findLast(([at]) => at <= revision) ?? sent[0])?.[1];
	}

	/** Returns the current `data` of a node, or the content of the file if `node` is undefined. */
	getCurrentData(node: string | undefined): unknown {
		const { content } = this.#live;
		if (node !== undefined) {
			return readAgentGraph(content).nodes.find(({ id }) => id === node)?.data;
		}
		const workflow = getField(content, 'workflow');
		const names = ['environment_variables', 'conversation_variables'];
		return { app: getField(content, 'app'), workflow: Object.fromEntries(names.map(name => [name, getField(workflow, name)])) };
	}

	#recordSentForm(form: NodeForm | undefined): void {
		this.#revision++;
		this.#sentData.set(this.#revision, { node: form?.node, data: form && this.getCurrentData(form.node), done: this.#done });
		const [oldest] = this.#sentData.keys();
		if (this.#sentData.size > maxSentData && oldest !== undefined) {
			this.#sentData.delete(oldest);
		}
	}

	async #loadModels(): Promise<void> {
		this.#models = await this.#sources.listModels();
		if (!this.disposed) {
			this.send();
		}
	}
}
