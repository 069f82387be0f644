import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { fieldOf } from '../../agentFile/plainValues.ts';
import { ServiceFault } from '../server/serviceFault.ts';

/** What came of a run: the whole text, and the metadata of a turn. */
export interface AgentEnd {
	readonly text: string;
	/** Tokens as Dify counts them are its `usage`. */
	readonly metadata: Readonly<Record<string, unknown>>;
}

/** A run that is ready to begin. */
export interface AgentWork extends Disposable {
	/** Runs it; `tell` gets each piece of text. Rejects with a fault where it cannot start or fails. */
	begin(tell: (text: string) => void): Promise<AgentEnd>;
	/** Ends it, wherever it stands. */
	stop(): void;
}

/** An agent's answer in the terms of a language model's, for whichever protocol writes it. One of {@link stream} and {@link whole} is called, once. */
export class AgentReply {
	/** Conversation that the answer belongs to; undefined for what runs once. */
	readonly conversationId: string | undefined;
	readonly #model: string;
	readonly #work: AgentWork;
	readonly #signal: AbortSignal;

	/** `signal` aborts when the caller goes away: then the run is stopped. */
	constructor(model: string, work: AgentWork, signal: AbortSignal, conversationId: string | undefined) {
		this.#model = model;
		this.#work = work;
		this.conversationId = conversationId;
		this.#signal = signal;
		signal.addEventListener('abort', () => work.stop(), { once: true });
	}

	/** The answer as it is written. A fault of the run comes as an error in it. */
	stream(): ReadableStream<LanguageModelV4StreamPart> {
		let isRead = true;
		return new ReadableStream({
			start: controller => {
				const send = (part: LanguageModelV4StreamPart) => {
					if (isRead) {
						controller.enqueue(part);
					}
				};
				let told = false;
				const tell = (text: string) => {
					told ||= text !== '';
					send({ type: 'text-delta', id: 'answer', delta: text });
				};
				send({ type: 'response-metadata', modelId: this.#model });
				// not awaited: parts are read while the run goes on
				this.#run(tell)
					.then(
						({ text, metadata }) => {
							if (!told) {
								tell(text);
							}
							send({ type: 'finish', usage: usageOf(metadata), finishReason: finished });
						},
						(error: unknown) => send({ type: 'error', error }),
					)
					.finally(() => {
						if (isRead) {
							controller.close();
						}
					});
			},
			cancel: () => {
				isRead = false;
			},
		});
	}

	/** The answer once it is there. Rejects with a fault where the run fails. */
	async whole(): Promise<LanguageModelV4GenerateResult> {
		const { text, metadata } = await this.#run(() => {});
		return {
			content: [{ type: 'text', text }],
			finishReason: finished,
			usage: usageOf(metadata),
			warnings: [],
			response: { modelId: this.#model },
		};
	}

	async #run(tell: (text: string) => void): Promise<AgentEnd> {
		using work = this.#work;
		if (this.#signal.aborted) {
			throw new ServiceFault(499, 'The caller has gone: nothing was run.');
		}
		return await work.begin(tell);
	}
}

/** Fault for a run that failed: the agent's, not the caller's. */
export function runFault(error: string | null | undefined): ServiceFault {
	return new ServiceFault(500, error || 'The run failed.', once);
}

/** Fault for a run that somebody stopped, or that ended with the service: what it has said so far is no answer. */
export function stopFault(runId: string): ServiceFault {
	return new ServiceFault(500, `The run ${runId} of the agent was stopped before it came to its end.`, once);
}

/** SDKs of OpenAI send what was answered with 5xx twice more, and each would be a run. */
const once = { headers: { 'x-should-retry': 'false' } };

/** Fault for a run that waits for a person: the protocols of models have no way to ask. */
export function waitFault(runId: string): ServiceFault {
	return new ServiceFault(
		400,
		`The agent waits for the answer of a person, which a model's protocol cannot give: answer the form of the run ${runId} in Agent Workbench, or call the agent by its own endpoint.`,
	);
}

const finished = { unified: 'stop', raw: undefined } as const;

function usageOf(metadata: AgentEnd['metadata']): LanguageModelV4Usage {
	const count = (name: string) => Number(fieldOf(metadata['usage'], name) ?? 0) || 0;
	const input = count('prompt_tokens');
	const output = Math.max(count('completion_tokens'), count('total_tokens') - input);
	return {
		inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
		outputTokens: { total: output, text: output, reasoning: undefined },
	};
}
