import { joinCurrencies } from '#base/records/amount.ts';
import { getOwnField } from '#base/records/ownField.ts';
import { getFieldText, getItems } from '#base/records/plainValues.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { RunData } from '#contract/workflows.ts';
import { AnswerPieces } from '#runs/events/answerPieces.ts';
import { longestText, Timeline, type TimelineRow } from '#runs/events/timeline.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import { RunForms } from '#runs/forms/runForms.ts';
import type { CaseCoverage } from '../results/caseResult.ts';
import { ToolCallCollector, type TracedCall } from './toolCalls.ts';

/** A node for checks and expressions: its last execution, and the number of executions. */
export interface TracedNode {
	readonly id: string;
	readonly type: string;
	readonly title: string;
	readonly status: string;
	readonly error?: string;
	readonly inputs: unknown;
	readonly outputs: unknown;
	readonly seconds: number;
	readonly tokens: number;
	readonly cost: number;
	readonly runs: number;
}

/** What nodes of an attacked run reported. */
export interface AttackEvidence {
	/** Prompts that nodes sent to models. */
	readonly prompts: readonly string[];
	/** Requests of HTTP nodes. */
	readonly requests: readonly string[];
	/** Errors and outputs of nodes, and entries of agents' logs. */
	readonly reports: readonly string[];
}

/** Values of a finished node, which the timeline doesn't keep. */
interface NodeValues {
	readonly inputs: unknown;
	readonly outputs: unknown;
}

/** Collects the events of a run: the timeline, and the last values of each node. */
export class RunTrace {
	readonly #timeline = new Timeline();
	readonly #values = new Map<string, NodeValues>();
	/** Chosen actions of human input nodes, by node ID. */
	readonly #actions = new Map<string, string>();
	/** Last error of each node, by node ID. The timeline only has shortened errors. */
	readonly #errors = new Map<string, string>();
	#end: RunData | undefined;
	#paused = false;
	readonly #calls = new ToolCallCollector();
	readonly #pieces = new AnswerPieces();
	#answer = '';
	#sources: readonly unknown[] = [];
	readonly #whole: RunTrace | undefined;
	readonly #forms = new RunForms();
	#conversation: string | undefined;

	/** @param whole trace of the whole conversation, which gets the events of all its turns */
	constructor(whole?: RunTrace) {
		this.#whole = whole;
	}

	add(event: WorkflowEvent): void {
		this.#whole?.add(event);
		const entry = { at: Date.now(), event };
		this.#timeline.addEntry(entry);
		this.#forms.applyEntry(entry);
		this.#conversation ??= getFieldText(event, 'conversation_id') || undefined;
		this.#calls.add(event);
		const piece = this.#pieces.readAnswerPiece(event);
		if (piece) {
			const before = piece.whole ? '' : this.#answer;
			// don't cut a full answer again with each chunk, which copies it
			this.#answer = before.length < longestText ? (before + piece.text).slice(0, longestText) : before;
		}
		const data = ('data' in event && typeof event.data === 'object' && event.data !== null ? event.data : {}) as Record<string, unknown>;
		if (event.event === 'workflow_finished') {
			this.#end = data as unknown as RunData;
			this.#paused = false;
		} else if (event.event === 'workflow_paused') {
			this.#paused = true;
			this.#end = { ...data, outputs: data['outputs'] ?? {}, status: 'paused' } as unknown as RunData;
		} else if (event.event === 'message_end') {
			this.#sources = getItems((event as { readonly metadata?: unknown }).metadata, 'retriever_resources');
			this.#end = {
				...this.#createChatEnd((event as { readonly metadata?: unknown }).metadata),
				...this.#end,
				outputs: { ...this.#end?.outputs, answer: this.#answer },
			};
		} else if (event.event === 'human_input_form_filled') {
			this.#actions.set(String(data['node_id']), String(data['action_id']));
		} else if (/^(node_finished|iteration_completed|loop_completed|node_retry)$/.test(event.event)) {
			this.#addValues(event.event, data);
		}
	}

	#addValues(event: string, { node_id, error, inputs, outputs }: Record<string, unknown>): void {
		const id = String(node_id);
		if (!this.#timeline.findLastExecution(id)) {
			return;
		}
		if (typeof error === 'string' && error !== '') {
			this.#errors.set(id, error);
		}
		if (event !== 'node_retry') {
			this.#values.set(id, { inputs: inputs ?? {}, outputs: outputs ?? {} });
		}
	}

	/** Records that the run failed with an error of the service. */
	recordFailure(error: string): void {
		this.#whole?.recordFailure(error);
		this.#end = { ...this.#createChatEnd(undefined), status: 'failed', error, outputs: {} };
	}

	/** The end of the run; `undefined` while it's running. */
	get end(): RunData | undefined {
		return this.#end;
	}

	/** True if the run is waiting for a person. */
	get paused(): boolean {
		return this.#paused;
	}

	/** Forms that the run is waiting for. */
	get openForms(): readonly RunForm[] {
		return this.#forms.open;
	}

	/** Notes that a form was answered. */
	removeAnsweredForm(id: string): void {
		this.#forms.removeAnsweredForm(id);
	}

	/** ID of the conversation that a chat turn belongs to. */
	get conversation(): string | undefined {
		return this.#conversation;
	}

	/** Node IDs in the order of their first start. */
	get order(): readonly string[] {
		return [...new Set(this.#getNodeRows().map(({ nodeId }) => nodeId!))];
	}

	/** Returns a node by ID; `undefined` if it didn't run. */
	getNode(id: string): TracedNode | undefined {
		return this.listNodes().get(id);
	}

	/** Returns all nodes that ran, by ID. */
	listNodes(): ReadonlyMap<string, TracedNode> {
		const nodes = new Map<string, TracedNode>();
		for (const row of this.#getNodeRows()) {
			const id = row.nodeId!;
			nodes.set(id, {
				id,
				type: row.kind,
				title: row.title,
				status: row.status,
				...(row.error === undefined ? {} : { error: this.#errors.get(id) ?? row.error }),
				...(this.#values.get(id) ?? { inputs: {}, outputs: {} }),
				seconds: ((row.end ?? row.start) - row.start) / 1000,
				tokens: row.tokens ?? 0,
				cost: row.price ?? 0,
				runs: (nodes.get(id)?.runs ?? 0) + 1,
			});
		}
		return nodes;
	}

	/** Tool calls of agents and tool nodes, in the order in which they started. */
	get toolCalls(): readonly TracedCall[] {
		return this.#calls.calls;
	}

	/** What the success of an attack is searched in; empty if the run isn't attacked. */
	get evidence(): AttackEvidence {
		return { prompts: [], requests: [], reports: [] };
	}

	/** See `AttackTrace`. */
	get untested(): string | undefined {
		return undefined;
	}

	/** Sources of the reply of a chat (`retriever_resources`). */
	get sources(): readonly unknown[] {
		return this.#sources;
	}

	/** Cost of all nodes, if the service reports it. */
	get cost(): { readonly cost: number; readonly currency?: string } | undefined {
		const priced = this.#getNodeRows().filter(({ price }) => price !== undefined);
		const currency = priced.reduce<string | undefined>((joined, row) => joinCurrencies(joined, row.currency), undefined);
		return priced.length === 0
			? undefined
			: { cost: priced.reduce((sum, { price = 0 }) => sum + price, 0), ...(currency === undefined ? {} : { currency }) };
	}

	createCoverage(agent: string): CaseCoverage {
		const nodes: Record<string, number> = {};
		const ways: Record<string, number> = {};
		for (const row of this.#getNodeRows()) {
			const id = row.nodeId!;
			nodes[id] = (getOwnField(nodes, id) ?? 0) + 1;
			const way = this.#findTakenBranch(row);
			if (way !== undefined) {
				ways[`${id}/${way}`] = (getOwnField(ways, `${id}/${way}`) ?? 0) + 1;
			}
		}
		return { agent, nodes, ways };
	}

	/** Creates the end of a chat turn without a graph. */
	#createChatEnd(metadata: unknown): RunData {
		const { total_tokens: tokens } = ((metadata as { readonly usage?: unknown } | undefined)?.usage ?? {}) as {
			readonly total_tokens?: number;
		};
		return { status: 'succeeded', total_tokens: tokens ?? 0, total_steps: 1 } as RunData;
	}

	#findTakenBranch({ nodeId, status, branch }: TimelineRow): string | undefined {
		if (status === 'exception') {
			return 'fail-branch';
		}
		return status === 'succeeded' || status === 'waited' ? (branch ?? this.#actions.get(nodeId!) ?? 'source') : undefined;
	}

	#getNodeRows(): readonly TimelineRow[] {
		return this.#timeline.rows.filter(({ nodeId }) => nodeId !== undefined);
	}
}
