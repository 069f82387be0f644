import { randomUUID } from 'node:crypto';
import { getSecondsSince } from '#base/timing/secondsSince.ts';
import type { VariableSetEvent } from '#contract/debugging.ts';
import type { NodeResultData } from '#contract/events.ts';
import type { RunData } from '#contract/workflows.ts';
import { Redactor } from '#network/redaction.ts';
import type { AgentLogEntry } from '../agent/agentLogs.ts';
import type { AgentNode, Graph, Selector } from '../agentFile/agentTypes.ts';
import type { AgentThought } from '../modelApps/agentThought.ts';
import type { NodeResult } from '../nodes/nodeType.ts';
import type { RunOptions } from './engineTypes.ts';
import { type ContainerData, type Execution, type ExecutionPlace, isInsideContainer, type NodeEnd } from './execution.ts';
import { toInputRequiredData } from './formRequired.ts';
import type { FormAnswer, HumanForm, WaitingNode } from './pausedRun.ts';
import { RoundsBudget } from './roundsBudget.ts';
import { describeReuse, describeStandIn } from './standInFields.ts';

interface RunEventsSettings {
	/** Secret values to keep out of events. */
	readonly secrets?: readonly string[];
	/** Number of the last node started before the run paused; 0 if there is none. */
	readonly lastIndex?: number;
	/** Maximum characters of values in iterations, after which no more iterations are reported. */
	readonly charactersInRounds?: number;
}

/** Builds and sends the events of one run (contract, "Events"; wire facts 1.5). Values aren't truncated. */
export class RunEvents {
	readonly #options: RunOptions;
	#index: number;
	readonly #rounds: RoundsBudget;
	readonly #redactor: Redactor;

	constructor(options: RunOptions, { secrets = [], lastIndex = 0, charactersInRounds }: RunEventsSettings = {}) {
		this.#options = options;
		this.#redactor = new Redactor(secrets);
		this.#index = lastIndex;
		this.#rounds = new RoundsBudget(charactersInRounds);
	}

	/** Number of nodes started so far. */
	get lastIndex(): number {
		return this.#index;
	}

	emitWorkflowStarted(inputs: Record<string, unknown>, createdAt: number, reason: 'initial' | 'resumption'): void {
		const { runId, workflowId, sequenceNumber, parent } = this.#options;
		this.#emit('workflow_started', {
			id: runId,
			workflow_id: workflowId,
			sequence_number: sequenceNumber,
			inputs,
			created_at: createdAt,
			reason,
			...(parent && { parent: this.redactSecrets(parent) }),
		});
	}

	emitFormRequired(node: AgentNode, waiting: WaitingNode): void {
		this.#emit('human_input_required', toInputRequiredData(node, waiting));
	}

	emitFormAnswered(node: AgentNode, { outputs }: NodeResult, answer: FormAnswer, form: HumanForm): void {
		const head = { node_id: node.id, node_title: node.title };
		if ('timeout' in answer) {
			this.#emit('human_input_form_timeout', { ...head, expiration_time: form.expires });
			return;
		}
		this.#emit('human_input_form_filled', {
			...head,
			rendered_content: this.redactSecrets(outputs['__rendered_content']),
			action_id: outputs['__action_id'],
			action_text: outputs['__action_value'],
			submitted_data: this.redactSecrets(answer.inputs),
		});
	}

	emitWorkflowPaused(data: RunData, { nodes }: Graph, waiting: readonly WaitingNode[]): void {
		this.#emit('workflow_paused', {
			workflow_run_id: data.id,
			paused_nodes: waiting.map(({ node }) => node),
			outputs: data.outputs,
			reasons: waiting.map(each => ({ TYPE: 'human_input_required', ...toInputRequiredData(nodes.get(each.node) as AgentNode, each) })),
			status: data.status,
			created_at: data.created_at,
			elapsed_time: data.elapsed_time,
			total_tokens: data.total_tokens,
			total_steps: data.total_steps,
		});
	}

	/** Sends the end of the run. Secrets in outputs aren't masked, because the agent's author chose what it returns. */
	emitWorkflowFinished(data: RunData): void {
		this.#emit('workflow_finished', data);
	}

	/** Returns the value without the agent's secrets, so that it can be reported and recorded. */
	redactSecrets<T>(value: T): T {
		return this.#redactor.redactValue(value);
	}

	/** Starts a node. Containers send their own events. */
	startNode(node: AgentNode, predecessor: string | null, place: ExecutionPlace): Execution {
		const execution: Execution = {
			id: randomUUID(),
			node,
			index: ++this.#index,
			predecessor,
			createdAt: Math.floor(Date.now() / 1000),
			started: performance.now(),
			draft: { inputs: null, processData: null, metadata: {} },
			retries: 0,
			done: false,
			silent: isInsideContainer(place) && !this.#rounds.countReport(),
			reported: 'nothing',
		};
		if (!node.inner && !execution.silent) {
			this.#emitNodeStarted(execution, place);
		}
		return execution;
	}

	emitNodeRetry(execution: Execution, end: NodeEnd, place: ExecutionPlace): void {
		if (execution.silent) {
			return;
		}
		this.#countInIterations(execution, end, place);
		this.#emit('node_retry', { ...this.#buildNodeResult(execution, end, place), retry_index: execution.retries });
	}

	emitNodeFinished(execution: Execution, end: NodeEnd, place: ExecutionPlace): void {
		if (execution.node.inner) {
			// a container that succeeded or reported its own failure has already sent this event
			if (execution.reported === 'started') {
				this.emitContainer(execution, 'completed', { ...end, inputs: execution.draft.inputs }, place);
			}
			if (end.status !== 'exception') {
				return;
			}
		}
		if (execution.silent) {
			if (end.status !== 'failed') {
				return;
			}
			this.#emitNodeStarted(execution, place);
		}
		this.#countInIterations(execution, end, place);
		this.#emit('node_finished', {
			...this.#buildNodeResult(execution, end, place),
			inputs_truncated: false,
			process_data_truncated: false,
			outputs_truncated: false,
		});
	}

	/** Sends an event about a container; `data` is added to the common fields. */
	emitContainer(execution: Execution, kind: 'started' | 'next' | 'completed', data: ContainerData, place: ExecutionPlace): void {
		if (execution.silent || (kind === 'next' && !this.#rounds.countReport())) {
			return;
		}
		const { id, node, createdAt } = execution;
		const head = {
			id,
			node_id: node.id,
			node_type: node.type,
			title: node.title,
			created_at: createdAt,
			extras: {},
			...place,
			...describeStandIn(this.#options, node, place),
		};
		if (kind === 'next' || isInsideContainer(place)) {
			this.#rounds.subtractValues(data);
		}
		if (kind === 'next') {
			this.#emit(`${node.type}_next`, { ...head, ...this.redactSecrets(data) });
			return;
		}
		execution.reported = kind;
		const shown = { ...head, ...this.redactSecrets(data), inputs: this.redactSecrets(data.inputs ?? null), inputs_truncated: false };
		if (kind === 'started') {
			this.#emit(`${node.type}_started`, shown);
			return;
		}
		const end = { status: data.status ?? 'succeeded', outputs: data.outputs ?? {}, error: data.error ?? null };
		const { elapsed_time, finished_at, execution_metadata } = this.#buildNodeResult(execution, end, place);
		this.#emit(`${node.type}_completed`, {
			elapsed_time,
			finished_at,
			execution_metadata,
			...shown,
			outputs: this.redactSecrets(end.outputs),
			outputs_truncated: false,
		});
	}

	/** @param selector the value that the text belongs to, if any */
	emitTextChunk(text: string, selector?: Selector): void {
		this.#emit('text_chunk', { text, ...(selector && { from_variable_selector: selector }) });
	}

	emitAgentThought(thought: AgentThought): void {
		this.#emit('agent_thought', this.redactSecrets(thought));
	}

	/**
	 * Reports that a user changed a value while the run was paused before a node. Secrets must already be masked, including those of
	 * agents used as tools.
	 */
	emitVariableSet(set: Omit<VariableSetEvent['data'], 'created_at'>): void {
		this.#emit('variable_set', { ...set, created_at: Math.floor(Date.now() / 1000) } satisfies VariableSetEvent['data']);
	}

	/** @param text replaces all text sent so far */
	emitTextReplace(text: string): void {
		this.#emit('text_replace', { text });
	}

	emitReasoningChunk(nodeId: string, reasoning: string, last: boolean): void {
		this.#emit('reasoning_chunk', { message_id: null, reasoning, node_id: nodeId, is_final: last });
	}

	/** Emits an entry of an agent's log, inside an iteration only if the iteration is reported. */
	emitAgentLog(execution: Execution, entry: AgentLogEntry, place: ExecutionPlace): void {
		if (execution.silent) {
			return;
		}
		if (isInsideContainer(place)) {
			this.#rounds.subtractValues(entry.data);
		}
		const { id, parent_id, label, status, error, data, metadata } = this.redactSecrets(entry);
		const { id: execution_id, node } = execution;
		this.#emit('agent_log', { node_execution_id: execution_id, node_id: node.id, id, parent_id, label, status, error, data, metadata });
	}

	#countInIterations({ draft: { inputs, processData } }: Execution, { outputs, error }: NodeEnd, place: ExecutionPlace): void {
		if (isInsideContainer(place)) {
			this.#rounds.subtractValues([inputs, processData, outputs, error]);
		}
	}

	#emitNodeStarted(execution: Execution, place: ExecutionPlace): void {
		this.#emit('node_started', { ...this.#buildNodeHead(execution, place), inputs: null, inputs_truncated: false, extras: {} });
	}

	#buildNodeHead({ id, node, index, predecessor, createdAt }: Execution, place: ExecutionPlace) {
		return {
			id,
			node_id: node.id,
			node_type: node.type,
			title: node.title,
			index,
			predecessor_node_id: predecessor,
			created_at: createdAt,
			iteration_id: null,
			loop_id: null,
			...place,
			...describeStandIn(this.#options, node, place),
		};
	}

	#buildNodeResult(execution: Execution, end: NodeEnd, place: ExecutionPlace): NodeResultData {
		const { draft, node } = execution;
		const handled = end.status === 'exception' && { error_strategy: node.failure.strategy };
		return {
			...this.#buildNodeHead(execution, place),
			inputs: this.redactSecrets(draft.inputs),
			process_data: this.redactSecrets(draft.processData),
			outputs: this.redactSecrets(end.outputs),
			status: end.status,
			error: this.redactSecrets(end.error),
			elapsed_time: getSecondsSince(execution.started),
			execution_metadata: { ...noCost, ...this.redactSecrets(draft.metadata), ...place, ...handled },
			finished_at: Math.floor(Date.now() / 1000),
			files: [],
			...describeReuse(this.#options, execution, place),
			...(draft.untested && { untested: true }),
		};
	}

	#emit(event: string, data: object): void {
		const { taskId, runId, emit } = this.#options;
		emit({ event, task_id: taskId, workflow_run_id: runId, data });
	}
}

/** Usage of a node that uses no model (contract, "Events"). */
const noCost = { total_tokens: 0, total_price: '0', currency: 'USD' };
