import type * as vscode from 'vscode';
import { agentGraph } from '#agentFile/agentGraph.ts';
import type { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { DisposableBase } from '#base/disposables.ts';
import { fieldOf } from '#base/records/plainValues.ts';
import type { DataFault } from '#pages/graph/nodeForm/formFaults.ts';
import type { NodeForm } from '#pages/graph/nodeForm/formTypes.ts';
import { createAgentForm, createNodeForm } from '#pages/graph/nodeForm/nodeForm.ts';
import { isEditable } from './graphEdits.ts';
import type { LivePicture } from './livePicture.ts';

/** What forms are made of beside the text. */
export interface FormSources {
	readonly schema: AgentSchema;
	/** What is wrong with an agent file: what *Problems* has of it. */
	readonly listFaults: (document: vscode.TextDocument) => Promise<readonly DataFault[]>;
	/** Names of models that are known to be there. */
	readonly listModels: () => Promise<readonly string[]>;
}

/** What a form was made of: what its node's `data` held (of the agent itself: the file), and what of the page's edits was in it. */
interface SentData {
	readonly node: string | undefined;
	readonly data: unknown;
	readonly done: number;
}

/** How many forms are remembered that a page may still have when it asks for something. */
const mostTold = 50;

/** The form beside a graph: that of the only node that is selected, as the text has it. */
export class PanelForm extends DisposableBase {
	readonly #live: LivePicture;
	readonly #sources: FormSources;
	readonly #post: (form: NodeForm | undefined, revision: number) => void;
	#done = 0;
	/** What the forms were made of that were told last, by their revisions. */
	readonly #sentData = new Map<number, SentData>();
	#revision = 0;
	/** ID of the node whose form is shown; `agent`: that of the agent itself. */
	#node: { readonly id: string } | 'agent' | undefined;
	/** ID that the node is about to get. */
	#nextId: string | undefined;
	#faults: readonly DataFault[] = [];
	#models: readonly string[] = [];
	/** How often was asked for what comes later: the last one counts. */
	#asked = 0;

	constructor(live: LivePicture, sources: FormSources, post: (form: NodeForm | undefined, revision: number) => void) {
		super();
		this.#live = live;
		this.#sources = sources;
		this.#post = post;
		this.own(live.onDidChange(() => this.#node !== undefined && this.send()));
	}

	/** Whether the text can be changed. */
	get editable(): boolean {
		return isEditable(this.#live.document.uri);
	}

	/** A node may get another ID: where its form is shown, that stays. */
	expectId(node: string, id: string): void {
		if (typeof this.#node === 'object' && this.#node.id === node) {
			this.#nextId = id;
		}
	}

	async select(nodes: readonly string[]): Promise<void> {
		const [id, ...others] = nodes;
		const node = id !== undefined && others.length === 0 ? { id } : undefined;
		this.#nextId = undefined;
		const before = this.#node;
		if (before === 'agent' || node?.id !== before?.id) {
			await this.#showNode(node);
		}
	}

	/** Shows the fields of the agent itself. */
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

	/** The text was checked: faults stand where they are now. */
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

	/** Tells the form as it is now. */
	send(): void {
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
		this.#remember(form);
		this.#post(form, this.#revision);
	}

	/** What is in the text of all that the page asked for: this, and all before it. */
	get done(): number {
		return this.#done;
	}

	/** So much of it is there now. */
	setDone(seq: number): void {
		this.#done = Math.max(this.#done, seq);
	}

	/** What the last form of a node was made of that a page had when it had this revision; the oldest that is known where that is long ago. */
	findSentData(revision: number, node: string | undefined): SentData | undefined {
		const told = [...this.#sentData].filter(([, each]) => each.node === node && each.data !== undefined);
		return (told.findLast(([at]) => at <= revision) ?? told[0])?.[1];
	}

	/** What the node's `data` holds now; of the agent itself, the file. */
	getCurrentData(node: string | undefined): unknown {
		const { content } = this.#live;
		if (node !== undefined) {
			return agentGraph(content).nodes.find(({ id }) => id === node)?.data;
		}
		const workflow = fieldOf(content, 'workflow');
		const names = ['environment_variables', 'conversation_variables'];
		return { app: fieldOf(content, 'app'), workflow: Object.fromEntries(names.map(name => [name, fieldOf(workflow, name)])) };
	}

	#remember(form: NodeForm | undefined): void {
		this.#revision++;
		this.#sentData.set(this.#revision, { node: form?.node, data: form && this.getCurrentData(form.node), done: this.#done });
		const [oldest] = this.#sentData.keys();
		if (this.#sentData.size > mostTold && oldest !== undefined) {
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
