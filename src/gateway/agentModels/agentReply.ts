import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { fieldOf } from '#base/records/plainValues.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';

/** What came of a run: the whole text, and the metadata of a turn. */
interface AgentEnd {
	readonly text: string;
	/** Tokens as Dify counts them are its `usage`. */
	readonly metadata: Readonly<Record<string, unknown>>;
}

/** A run that is ready to begin. */
export interface ReadyRun extends Disposable {
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
	readonly #work: ReadyRun;
	readonly #signal: AbortSignal;

	/** `signal` aborts when the caller goes away: then the run is stopped. */
	constructor(model: string, work: ReadyRun, signal: AbortSignal, conversationId: string | undefined) {
		this.#model = model;
		this.#work = work;
		this.conversationId = conversationId;
		this.#signal = signal;
		signal.addEventListener('abort', () => work.stop(), { once: true });
	}

	/** The answer while it is written. An error of the run comes as a part. */
	stream(): ReadableStream<LanguageModelV4StreamPart> {
		const text = new WaitingText();
		let hasText = false;
		let end: LanguageModelV4StreamPart | undefined;
		let isDone = false;
		const give = (controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>) => {
			if (isDone || (controller.desiredSize ?? 0) <= 0) {
				return;
			}
			const delta = text.take();
			if (delta !== '') {
				controller.enqueue({ type: 'text-delta', id: 'answer', delta });
			} else if (end) {
				isDone = true;
				controller.enqueue(end);
				controller.close();
			}
		};
		return new ReadableStream<LanguageModelV4StreamPart>({
			start: controller => {
				controller.enqueue({ type: 'response-metadata', modelId: this.#model });
				const tell = (piece: string) => {
					hasText ||= piece !== '';
					if (!isDone) {
						text.add(piece);
						give(controller);
					}
				};
				// not awaited: parts are read while the run continues
				this.#run(tell)
					.then(
						({ text: whole, metadata }) => {
							if (!hasText) {
								tell(whole);
							}
							end = { type: 'finish', usage: usageOf(metadata), finishReason: finished };
						},
						(error: unknown) => {
							end = { type: 'error', error };
						},
					)
					.finally(() => give(controller));
			},
			pull: give,
			cancel: () => {
				isDone = true;
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

/** Pieces joined at once: a string that grows piece by piece takes dozens of bytes for each. */
const joinedPieces = 1_000;

/** Text that the reader hasn't taken yet. A run doesn't wait for slow readers, so its text is kept in few strings, however small the pieces are. */
class WaitingText {
	#texts: string[] = [];
	#pieces: string[] = [];

	add(piece: string): void {
		this.#pieces.push(piece);
		if (this.#pieces.length === joinedPieces) {
			this.#join();
		}
	}

	/** Takes the next part of the text; empty if there is none. */
	take(): string {
		if (this.#texts.length === 0) {
			this.#join();
		}
		return this.#texts.shift() ?? '';
	}

	#join(): void {
		const text = this.#pieces.join('');
		this.#pieces = [];
		if (text !== '') {
			this.#texts.push(text);
		}
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
