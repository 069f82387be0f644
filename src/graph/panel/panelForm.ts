import type * as vscode from 'vscode';
import type { AgentSchema } from '../../agentFiles/editing/agentSchema.ts';
import { DisposableBase } from '../../common/disposables.ts';
import type { DataFault } from '../forms/formFaults.ts';
import type { NodeForm } from '../forms/formTypes.ts';
import { agentForm, nodeForm } from '../forms/nodeForm.ts';
import { isEditable } from './graphEdits.ts';
import type { LivePicture } from './livePicture.ts';

/** What forms are made of beside the text. */
export interface FormSources {
	readonly schema: AgentSchema;
	/** What is wrong with an agent file: what *Problems* has of it. */
	readonly faults: (document: vscode.TextDocument) => Promise<readonly DataFault[]>;
	/** Names of models that are known to be there. */
	readonly models: () => Promise<readonly string[]>;
}

/** The form beside a graph: that of the only node that is selected, as the text has it. */
export class PanelForm extends DisposableBase {
	readonly #live: LivePicture;
	readonly #sources: FormSources;
	readonly #post: (form: NodeForm | undefined) => void;
	/** ID of the node whose form is shown; `agent`: that of the agent itself. */
	#node: { readonly id: string } | 'agent' | undefined;
	/** ID that the node is about to get. */
	#nextId: string | undefined;
	#faults: readonly DataFault[] = [];
	#models: readonly string[] = [];
	/** How often was asked for what comes later: the last one counts. */
	#asked = 0;

	constructor(live: LivePicture, sources: FormSources, post: (form: NodeForm | undefined) => void) {
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

	/** The node that is shown may get another ID: its form stays. */
	expectId(id: string): void {
		this.#nextId = id;
	}

	async select(nodes: readonly string[]): Promise<void> {
		const [id, ...others] = nodes;
		const node = id !== undefined && others.length === 0 ? { id } : undefined;
		this.#nextId = undefined;
		const before = this.#node;
		if (before === 'agent' || node?.id !== before?.id) {
			await this.#show(node);
		}
	}

	/** Shows the fields of the agent itself. */
	showAgent(): Promise<void> {
		return this.#show('agent');
	}

	async #show(node: { readonly id: string } | 'agent' | undefined): Promise<void> {
		this.#node = node;
		this.send();
		if (node !== undefined) {
			await Promise.all([this.checked(), this.#askModels()]);
		}
	}

	/** The text was checked: faults stand where they are now. */
	async checked(): Promise<void> {
		if (this.#node === undefined) {
			return;
		}
		const asked = ++this.#asked;
		const faults = await this.#sources.faults(this.#live.document);
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
			node === 'agent' ? agentForm(parts) : node && (nodeForm(node.id, parts) ?? (next === undefined ? undefined : nodeForm(next, parts)));
		this.#post(form);
	}

	async #askModels(): Promise<void> {
		this.#models = await this.#sources.models();
		if (!this.disposed) {
			this.send();
		}
	}
}
