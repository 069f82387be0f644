import type { ModelPart, ModelRequest, ModelThought, ModelToolCall, ModelUsage, TextModels } from '../../run/engineTypes.ts';
import { NodeError } from '../nodeError.ts';
import { formatExactPrice } from './priceText.ts';

/** A model's whole reply. */
export interface ModelReply {
	readonly text: string;
	readonly reasoning: string;
	/** Tool calls, in the model's order. */
	readonly calls: readonly ModelToolCall[];
	/** Reasoning in the format that the service expects back together with the calls. */
	readonly thoughts: readonly ModelThought[];
	readonly finishReason: string;
	readonly usage: ModelUsage;
	/** Seconds from the request to the end of the reply. */
	readonly latency: number;
	/** Messages about parts of the request that the model's service ignored or changed. */
	readonly warnings: readonly string[];
}

/**
 * Asks a model and collects its reply; `onPart` is called with each part as it arrives.
 * @throws {NodeError} if the model fails, or its reply is incomplete
 */
export async function askModel(
	models: TextModels,
	request: ModelRequest,
	signal: AbortSignal,
	onPart: (part: ModelPart) => void = () => {},
): Promise<ModelReply> {
	const started = performance.now();
	let text = '';
	let reasoning = '';
	const calls: ModelToolCall[] = [];
	let end: Extract<ModelPart, { type: 'finish' }> | undefined;
	try {
		for await (const part of iterateUntilAborted(models.streamReply(request, signal), signal)) {
			if (part.type === 'text') {
				text += part.text;
			} else if (part.type === 'reasoning') {
				reasoning += part.text;
			} else if (part.type === 'call') {
				const { type: _, ...call } = part;
				calls.push(call);
			} else {
				end = part;
			}
			onPart(part);
		}
	} catch (error) {
		signal.throwIfAborted();
		throw error instanceof NodeError ? error : new NodeError((error as Error).message, getModelErrorType(error), { cause: error });
	}
	if (!end) {
		throw new NodeError(`The reply of the model '${request.model}' ended before it was complete`, 'InvokeConnectionError');
	}
	const { finishReason, usage, thoughts = [], warnings = [] } = end;
	return { text, reasoning, calls, thoughts, finishReason, usage, latency: (performance.now() - started) / 1000, warnings };
}

/** Returns the warnings of a reply for `process_data`. */
export function getReplyWarnings({ warnings }: Pick<ModelReply, 'warnings'>): { readonly warnings?: readonly string[] } {
	return warnings.length > 0 ? { warnings } : {};
}

/** Returns the `usage` output of nodes; prices are strings, and "0" if unknown (workflow DSL, "llm"). */
export function toUsageOutput({ usage, latency }: Pick<ModelReply, 'usage' | 'latency'>): Record<string, unknown> {
	return {
		prompt_tokens: usage.promptTokens,
		completion_tokens: usage.completionTokens,
		total_tokens: usage.promptTokens + usage.completionTokens,
		total_price: usage.totalPrice ?? '0',
		currency: usage.currency ?? 'USD',
		latency: Math.round(latency * 1000) / 1000,
	};
}

/** Returns the usage of replies for `execution_metadata`. */
export function sumUsageMetadata(...replies: readonly ModelReply[]): Record<string, unknown> {
	const priced = replies.filter(({ usage }) => usage.totalPrice !== undefined);
	const isFree = priced.length > 0 && priced.every(({ usage }) => Number(usage.totalPrice) === 0);
	return {
		total_tokens: replies.reduce((sum, { usage }) => sum + usage.promptTokens + usage.completionTokens, 0),
		total_price: formatExactPrice(priced.reduce((sum, { usage }) => sum + Number(usage.totalPrice), 0)),
		currency: priced[0]?.usage.currency ?? 'USD',
		// "0" can also mean an unknown price
		...(isFree && { free: true }),
	};
}

/** Returns the error type for fail branches (workflow DSL, "Failure handling"), based on the reason of a model's error. */
function getModelErrorType(error: unknown): string {
	const { reason } = error as { readonly reason?: unknown };
	return (typeof reason === 'string' ? errorTypes[reason] : undefined) ?? 'InvokeError';
}

const errorTypes: Readonly<Record<string, string>> = {
	unauthorized: 'InvokeAuthorizationError',
	forbidden: 'InvokeAuthorizationError',
	'rate-limited': 'InvokeRateLimitError',
	network: 'InvokeConnectionError',
	timeout: 'InvokeConnectionError',
	server: 'InvokeServerUnavailableError',
	unavailable: 'InvokeServerUnavailableError',
	'bad-request': 'InvokeBadRequestError',
	'not-found': 'InvokeBadRequestError',
	'too-large': 'InvokeBadRequestError',
	'context-length': 'InvokeBadRequestError',
	'recording-missing': 'RecordingMissing',
};

/** Iterates over a source until the signal aborts, even if the source ignores the signal. */
async function* iterateUntilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
	const iterator = source[Symbol.asyncIterator]();
	let abort: () => void = () => {};
	const aborted = new Promise<never>((_, reject) => {
		abort = () => reject(signal.reason);
		signal.addEventListener('abort', abort, { once: true });
	});
	aborted.catch(() => {});
	let finished = false;
	try {
		signal.throwIfAborted();
		for (;;) {
			const next = await Promise.race([iterator.next(), aborted]);
			if (next.done) {
				finished = true;
				return;
			}
			yield next.value;
		}
	} finally {
		signal.removeEventListener('abort', abort);
		if (!finished) {
			// not awaited: a stuck source settles this only when it resumes
			void Promise.resolve(iterator.return?.()).catch(() => {});
		}
	}
}
