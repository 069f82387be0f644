import { hasGraph } from '#agentFile/appModes.ts';
import { getField } from '#base/records/plainValues.ts';
import { isEvent, type TextChunkEvent, type WorkflowEvent } from '#contract/events.ts';
import type { RunData } from '#contract/workflows.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { type Citation, isCitingSources } from '#engine/knowledge/citations.ts';
import { formatExactPrice } from '#engine/nodes/model/priceText.ts';
import type { FinishedRun } from '../runs/liveRun.ts';
import type { MessageRow } from '../store/conversationStore.ts';

/** Sends one event of the turn, as JSON on one line. */
export type SendChatEvent = (json: string) => void;

/** Result of a turn. `failure` is the error message; undefined if the turn ended normally or was stopped. */
export interface TurnEnd {
	readonly answer: string;
	readonly metadata: Readonly<Record<string, unknown>>;
	/** Thoughts of an agent app, in order. */
	readonly thoughts: readonly Readonly<Record<string, unknown>>[];
	readonly failure: { readonly status: number; readonly code: string; readonly message: string } | undefined;
	/** Result of the run; undefined if it failed outside its agent. */
	readonly finished: FinishedRun | undefined;
}

/** The properties of an agent that shape a turn's events. */
export type TurnForm = Pick<LoadedAgent, 'mode' | 'features'>;

/** The saved state of a turn whose run is paused; `metadata` is JSON. */
export type KeptTurn = Pick<MessageRow, 'answer' | 'metadata'>;

/** Converts the events of a run to Dify's events of its turn: text chunks become messages, and all events get the turn's IDs. */
export class TurnEvents {
	readonly #head: Readonly<Record<string, unknown>>;
	readonly #agent: TurnForm;
	/** True if node events are hidden, for apps without a graph. */
	readonly #onlyMessages: boolean;
	/** Last reported thoughts of an agent app, by ID. */
	readonly #thoughts = new Map<string, Readonly<Record<string, unknown>>>();
	readonly #send: SendChatEvent;
	readonly #usage = { prompt: 0, completion: 0, price: 0, currency: 'USD' };
	#answer: string;

	/**
	 * @param head fields of every event, including `message_id`
	 * @param agent the responding agent
	 * @param before the saved state of a resumed turn; undefined for a new turn
	 */
	constructor(head: Readonly<Record<string, unknown>>, agent: TurnForm, send: SendChatEvent, before?: KeptTurn) {
		this.#head = head;
		this.#answer = before?.answer ?? '';
		if (before) {
			this.#addUsage(getField(JSON.parse(before.metadata), 'usage'));
		}
		this.#agent = agent;
		this.#onlyMessages = !hasGraph(agent.mode);
		this.#send = send;
	}

	/** Handles the next event of the run. */
	forwardEvent(event: WorkflowEvent): void {
		if (event.event === 'text_chunk' || event.event === 'text_replace') {
			this.#sendText((event as TextChunkEvent).data, event.event === 'text_replace' ? { reason: 'output_moderation' } : undefined);
			return;
		}
		if (event.event === 'agent_thought') {
			this.#sendThought((event as { readonly data: Readonly<Record<string, unknown>> }).data);
			return;
		}
		if (event.event === 'reasoning_chunk') {
			this.emitEvent({ ...event, data: { ...(event as { data: object }).data, message_id: this.#head['message_id'] } });
			return;
		}
		if (isEvent(event, 'node_finished')) {
			this.#addNodeUsage(event.data.outputs);
		}
		if (event.event !== 'error' && !this.#onlyMessages) {
			this.emitEvent(event);
		}
	}

	/** Sends the whole answer so far, for a reader that missed chunks of it. */
	sendWholeAnswer(answer: string): void {
		if (answer !== this.#answer) {
			this.#sendText({ text: answer }, {});
		}
	}

	/** Reports that the turn has ended with an error. */
	reportFailure(failure: { readonly status: number; readonly code: string | undefined; readonly message: string }): void {
		this.emitEvent({ event: 'error', ...failure });
	}

	/** Reports that the turn has ended normally. */
	close(metadata: TurnEnd['metadata']): void {
		this.emitEvent({ event: 'message_end', id: this.#head['message_id'], metadata, files: [] });
	}

	/** Sends an event with the turn's IDs. */
	emitEvent(fields: object): void {
		const { event, ...rest } = fields as { readonly event: string };
		this.#send(JSON.stringify({ event, ...this.#head, ...rest }));
	}

	/** Returns the result of the turn from that of the run. */
	getTurnResult(ended: unknown): TurnEnd {
		const finished = ended instanceof Error ? undefined : (ended as FinishedRun);
		return {
			answer: getAnswerText(finished?.data) ?? this.#answer,
			metadata: { usage: this.#formatUsage(finished?.data), retriever_resources: this.#getCitedSegments(finished?.citations ?? []) },
			thoughts: [...this.#thoughts.values()],
			failure: getFailure(finished),
			finished,
		};
	}

	/** @param replaces additional fields, if the text replaces the answer so far */
	#sendText({ text, from_variable_selector: selector }: TextChunkEvent['data'], replaces?: object): void {
		this.#answer = replaces ? text : this.#answer + text;
		if (this.#onlyMessages && text === '' && !replaces) {
			return;
		}
		this.emitEvent({
			event: replaces ? 'message_replace' : this.#agent.mode === 'agent-chat' || this.#agent.mode === 'agent' ? 'agent_message' : 'message',
			id: this.#head['message_id'],
			answer: text,
			...replaces,
			...(selector && !this.#onlyMessages && { from_variable_selector: selector }),
		});
	}

	/** Reports a thought, whose ID stays the same from start to end. */
	#sendThought(data: Readonly<Record<string, unknown>>): void {
		const thought = { ...data, message_files: [] };
		this.#thoughts.set(String(data['id']), thought);
		this.emitEvent({ event: 'agent_thought', ...thought });
	}

	/** Returns the cited segments without duplicates; none if the agent's file doesn't enable citations. */
	#getCitedSegments(citations: readonly Citation[]): readonly Citation[] {
		const unique = new Map(citations.map(each => [JSON.stringify([each['dataset_id'], each['segment_id']]), each]));
		return isCitingSources(this.#agent) ? [...unique.values()] : [];
	}

	#addNodeUsage(outputs: unknown): void {
		this.#addUsage(getField(outputs, 'usage') ?? getField(outputs, '__usage'));
	}

	#addUsage(usage: unknown): void {
		const readNumber = (name: string) => Number(getField(usage, name) ?? 0) || 0;
		this.#usage.prompt += readNumber('prompt_tokens');
		this.#usage.completion += readNumber('completion_tokens');
		this.#usage.price += readNumber('total_price');
		this.#usage.currency = String(getField(usage, 'currency') ?? this.#usage.currency);
	}

	/** Returns the usage in Dify's format. Prices per token are unknown here. */
	#formatUsage(data: RunData | undefined): Record<string, unknown> {
		const { prompt, completion, price, currency } = this.#usage;
		const none = { unit_price: '0', price_unit: '0', price: '0' };
		const getPriceFields = (kind: string) => Object.fromEntries(Object.entries(none).map(([name, value]) => [`${kind}_${name}`, value]));
		return {
			prompt_tokens: prompt,
			...getPriceFields('prompt'),
			completion_tokens: completion,
			...getPriceFields('completion'),
			total_tokens: data?.total_tokens ?? 0,
			total_price: formatExactPrice(price),
			currency,
			latency: data?.elapsed_time ?? 0,
		};
	}
}

/** Returns the answer in a run's outputs; undefined if there is none. */
export function getAnswerText(data: Pick<RunData, 'outputs'> | undefined): string | undefined {
	const answer = data?.outputs?.['answer'];
	return typeof answer === 'string' && answer !== '' ? answer : undefined;
}

function getFailure(finished: FinishedRun | undefined): TurnEnd['failure'] {
	if (!finished) {
		return { status: 500, code: 'internal_server_error', message: 'Internal Server Error, please contact support.' };
	}
	const { status, error } = finished.data;
	return status === 'failed' ? { status: 400, code: 'completion_request_error', message: error ?? 'The run failed.' } : undefined;
}
