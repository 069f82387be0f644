import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { getField } from '#base/records/plainValues.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';

/** Result of a run: the whole text and the metadata of the turn. */
interface AgentEnd {
	readonly text: string;
	/** Includes `usage`, with tokens as Dify counts them. */
	readonly metadata: Readonly<Record<string, unknown>>;
}

/** A run that is ready to start. */
export interface ReadyRun extends Disposable {
	/** Starts the run and calls `tell` with each chunk of text. Rejects if the run can't start or fails. */
	start(tell: (text: string) => void): Promise<AgentEnd>;
	/** Stops the run in any state. */
	stop(): void;
}

/**
 * An agent's answer in the form of a language model's response, for any protocol. Call either {@link streamParts} or {@link getWholeReply}, and only
 * once.
 */
export class AgentReply {
	/** Conversation of the answer; undefined for workflows. */
	readonly conversationId: string | undefined;
	readonly #model: string;
	readonly #work: ReadyRun;
	readonly #signal: AbortSignal;

	/** @param signal aborts when the caller disconnects, which stops the run */
	constructor(model: string, work: ReadyRun, signal: AbortSignal, conversationId: string | undefined) {
		this.#model = model;
		this.#work = work;
		this.conversationId = conversationId;
		this.#signal = signal;
		signal.addEventListener('abort', () => work.stop(), { once: true });
	}

	/** Streams the answer. An error of the run is sent as a part. */
	streamParts(): ReadableStream<LanguageModelV4StreamPart> {
		const text = new WaitingText();
		let hasText = false;
		let end: LanguageModelV4StreamPart | undefined;
		let isDone = false;
		const sendNextPart = (controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>) => {
			if (isDone || (controller.desiredSize ?? 0) <= 0) {
				return;
			}
			const delta = text.takeNextText();
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
				const addText = (piece: string) => {
					hasText ||= piece !== '';
					if (!isDone) {
						text.add(piece);
						sendNextPart(controller);
					}
				};
				// not awaited, because parts are read while the run continues
				this.#runAgent(addText)
					.then(
						({ text: whole, metadata }) => {
							if (!hasText) {
								addText(whole);
							}
							end = { type: 'finish', usage: toUsage(metadata), finishReason: finished };
						},
						(error: unknown) => {
							end = { type: 'error', error };
						},
					)
					.finally(() => sendNextPart(controller));
			},
			pull: sendNextPart,
			cancel: () => {
				isDone = true;
			},
		});
	}

	/** Resolves with the complete answer. Rejects if the run fails. */
	async getWholeReply(): Promise<LanguageModelV4GenerateResult> {
		const { text, metadata } = await this.#runAgent(() => {});
		return {
			content: [{ type: 'text', text }],
			finishReason: finished,
			usage: toUsage(metadata),
			warnings: [],
			response: { modelId: this.#model },
		};
	}

	async #runAgent(tell: (text: string) => void): Promise<AgentEnd> {
		using work = this.#work;
		if (this.#signal.aborted) {
			throw new ServiceFault(499, 'The caller disconnected before the run started.');
		}
		return await work.start(tell);
	}
}

/** Number of chunks to join at once. A string that grows chunk by chunk needs dozens of bytes for each chunk. */
const joinedPieces = 1_000;

/**
 * Text that the reader hasn't read yet. A run doesn't wait for slow readers, so its text is stored in few strings, however small its chunks
 * are.
 */
class WaitingText {
	#texts: string[] = [];
	#pieces: string[] = [];

	add(piece: string): void {
		this.#pieces.push(piece);
		if (this.#pieces.length === joinedPieces) {
			this.#joinChunks();
		}
	}

	/** Removes and returns the next part of the text; empty if there is none. */
	takeNextText(): string {
		if (this.#texts.length === 0) {
			this.#joinChunks();
		}
		return this.#texts.shift() ?? '';
	}

	#joinChunks(): void {
		const text = this.#pieces.join('');
		this.#pieces = [];
		if (text !== '') {
			this.#texts.push(text);
		}
	}
}

/** Creates the error for a failed run. The agent caused it, not the caller. */
export function createRunError(error: string | null | undefined): ServiceFault {
	return new ServiceFault(500, error || 'The run failed.', once);
}

/** Creates the error for a run that was stopped or interrupted. Its partial text isn't an answer. */
export function createStopError(runId: string): ServiceFault {
	return new ServiceFault(500, `The agent's run ${runId} was stopped before it finished.`, once);
}

/** Prevents retries, because OpenAI's SDKs retry 5xx responses twice and each retry would be a new run. */
const once = { headers: { 'x-should-retry': 'false' } };

/** Creates the error for a paused run, because model protocols can't request input from people. */
export function createPauseError(runId: string): ServiceFault {
	return new ServiceFault(
		400,
		`The agent is waiting for input, which this protocol doesn't support. Submit the form of the run ${runId} in Agent Workbench, or use the agent's own endpoint.`,
	);
}

const finished = { unified: 'stop', raw: undefined } as const;

function toUsage(metadata: AgentEnd['metadata']): LanguageModelV4Usage {
	const readCount = (name: string) => Number(getField(metadata['usage'], name) ?? 0) || 0;
	const input = readCount('prompt_tokens');
	const output = Math.max(readCount('completion_tokens'), readCount('total_tokens') - input);
	return {
		inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
		outputTokens: { total: output, text: output, reasoning: undefined },
	};
}
