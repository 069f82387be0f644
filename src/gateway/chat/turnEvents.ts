import { hasGraph } from '#agentFile/agentFileSchema.ts';
import { fieldOf } from '#base/records/plainValues.ts';
import { isEvent, type TextChunkEvent, type WorkflowEvent } from '#contract/events.ts';
import type { RunData } from '#contract/workflows.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { type Citation, citesSources } from '#engine/knowledge/citations.ts';
import { priceText } from '#engine/nodes/model/priceText.ts';
import type { FinishedRun } from '../runs/liveRun.ts';
import type { MessageRow } from '../store/conversationStore.ts';

/** Sends one event of the turn, as JSON on one line. */
export type SendChatEvent = (json: string) => void;

/** How a turn ended. `failure` is a sentence; absent: it ended well, or was stopped. */
export interface TurnEnd {
	readonly answer: string;
	readonly metadata: Readonly<Record<string, unknown>>;
	/** Rounds of an agent app, in their order. */
	readonly thoughts: readonly Readonly<Record<string, unknown>>[];
	readonly failure: { readonly status: number; readonly code: string; readonly message: string } | undefined;
	/** Absent where the run could not go on outside its agent. */
	readonly finished: FinishedRun | undefined;
}

/** What a turn's events depend on of its agent. */
export type TurnForm = Pick<LoadedAgent, 'mode' | 'features'>;

/** What is kept of a turn whose run waits; `metadata` is JSON. */
export type KeptTurn = Pick<MessageRow, 'answer' | 'metadata'>;

/** Events of a turn in Dify's form, made of those of its run: pieces of text become messages, and everything carries the turn's IDs. */
export class TurnEvents {
	readonly #head: Readonly<Record<string, unknown>>;
	readonly #agent: TurnForm;
	/** Apps without a graph tell nothing of the nodes that they are run by. */
	readonly #onlyMessages: boolean;
	/** Rounds of an agent app as they were told last. */
	readonly #thoughts = new Map<string, Readonly<Record<string, unknown>>>();
	readonly #send: SendChatEvent;
	readonly #usage = { prompt: 0, completion: 0, price: 0, currency: 'USD' };
	#answer: string;

	/**
	 * @param head fields of every event, `message_id` among them
	 * @param agent the one that answers
	 * @param before the turn as it was kept when its run paused; absent: it begins
	 */
	constructor(head: Readonly<Record<string, unknown>>, agent: TurnForm, send: SendChatEvent, before?: KeptTurn) {
		this.#head = head;
		this.#answer = before?.answer ?? '';
		if (before) {
			this.#spend(fieldOf(JSON.parse(before.metadata), 'usage'));
		}
		this.#agent = agent;
		this.#onlyMessages = !hasGraph(agent.mode);
		this.#send = send;
	}

	/** The next event of the run. */
	forward(event: WorkflowEvent): void {
		if (event.event === 'text_chunk' || event.event === 'text_replace') {
			this.#message((event as TextChunkEvent).data, event.event === 'text_replace' ? { reason: 'output_moderation' } : undefined);
			return;
		}
		if (event.event === 'agent_thought') {
			this.#think((event as { readonly data: Readonly<Record<string, unknown>> }).data);
			return;
		}
		if (event.event === 'reasoning_chunk') {
			this.emit({ ...event, data: { ...(event as { data: object }).data, message_id: this.#head['message_id'] } });
			return;
		}
		if (isEvent(event, 'node_finished')) {
			this.#count(event.data.outputs);
		}
		if (event.event !== 'error' && !this.#onlyMessages) {
			this.emit(event);
		}
	}

	/** All of the answer so far, for a reader whom pieces of it have not reached. */
	replace(answer: string): void {
		if (answer !== this.#answer) {
			this.#message({ text: answer }, {});
		}
	}

	/** The turn has ended with an error. */
	fail(failure: { readonly status: number; readonly code: string | undefined; readonly message: string }): void {
		this.emit({ event: 'error', ...failure });
	}

	/** The turn has ended well. */
	close(metadata: TurnEnd['metadata']): void {
		this.emit({ event: 'message_end', id: this.#head['message_id'], metadata, files: [] });
	}

	/** An event with the turn's IDs. */
	emit(fields: object): void {
		const { event, ...rest } = fields as { readonly event: string };
		this.#send(JSON.stringify({ event, ...this.#head, ...rest }));
	}

	/** What came of the run. */
	end(ended: unknown): TurnEnd {
		const finished = ended instanceof Error ? undefined : (ended as FinishedRun);
		return {
			answer: answerOf(finished?.data) ?? this.#answer,
			metadata: { usage: this.#usageOf(finished?.data), retriever_resources: this.#shown(finished?.citations ?? []) },
			thoughts: [...this.#thoughts.values()],
			failure: failureOf(finished),
			finished,
		};
	}

	/** @param replaces what is told where it takes the place of the answer so far */
	#message({ text, from_variable_selector: selector }: TextChunkEvent['data'], replaces?: object): void {
		this.#answer = replaces ? text : this.#answer + text;
		if (this.#onlyMessages && text === '' && !replaces) {
			return;
		}
		this.emit({
			event: replaces ? 'message_replace' : this.#agent.mode === 'agent-chat' || this.#agent.mode === 'agent' ? 'agent_message' : 'message',
			id: this.#head['message_id'],
			answer: text,
			...replaces,
			...(selector && !this.#onlyMessages && { from_variable_selector: selector }),
		});
	}

	/** A round, from its beginning to its end with the same ID. */
	#think(data: Readonly<Record<string, unknown>>): void {
		const thought = { ...data, message_files: [] };
		this.#thoughts.set(String(data['id']), thought);
		this.emit({ event: 'agent_thought', ...thought });
	}

	/** What the reply was made with, each segment once, where the agent's file asks for it. */
	#shown(citations: readonly Citation[]): readonly Citation[] {
		const unique = new Map(citations.map(each => [JSON.stringify([each['dataset_id'], each['segment_id']]), each]));
		return citesSources(this.#agent) ? [...unique.values()] : [];
	}

	#count(outputs: unknown): void {
		this.#spend(fieldOf(outputs, 'usage') ?? fieldOf(outputs, '__usage'));
	}

	#spend(usage: unknown): void {
		const number = (name: string) => Number(fieldOf(usage, name) ?? 0) || 0;
		this.#usage.prompt += number('prompt_tokens');
		this.#usage.completion += number('completion_tokens');
		this.#usage.price += number('total_price');
		this.#usage.currency = String(fieldOf(usage, 'currency') ?? this.#usage.currency);
	}

	/** In Dify's form; prices of tokens are not known here. */
	#usageOf(data: RunData | undefined): Record<string, unknown> {
		const { prompt, completion, price, currency } = this.#usage;
		const none = { unit_price: '0', price_unit: '0', price: '0' };
		const priced = (kind: string) => Object.fromEntries(Object.entries(none).map(([name, value]) => [`${kind}_${name}`, value]));
		return {
			prompt_tokens: prompt,
			...priced('prompt'),
			completion_tokens: completion,
			...priced('completion'),
			total_tokens: data?.total_tokens ?? 0,
			total_price: priceText(price),
			currency,
			latency: data?.elapsed_time ?? 0,
		};
	}
}

/** The answer as a run's outputs have it; undefined where they have none. */
export function answerOf(data: Pick<RunData, 'outputs'> | undefined): string | undefined {
	const answer = data?.outputs?.['answer'];
	return typeof answer === 'string' && answer !== '' ? answer : undefined;
}

function failureOf(finished: FinishedRun | undefined): TurnEnd['failure'] {
	if (!finished) {
		return { status: 500, code: 'internal_server_error', message: 'Internal Server Error, please contact support.' };
	}
	const { status, error } = finished.data;
	return status === 'failed' ? { status: 400, code: 'completion_request_error', message: error ?? 'The run failed.' } : undefined;
}
