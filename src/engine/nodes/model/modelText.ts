import type { ModelPart, ModelRequest, ModelThought, ModelToolCall, ModelUsage, TextModels } from '../../run/engineTypes.ts';
import { NodeError } from '../nodeType.ts';
import { priceText } from './priceText.ts';

/** A model's whole reply. */
export interface ModelReply {
	readonly text: string;
	readonly reasoning: string;
	/** Tools that it calls, in its order. */
	readonly calls: readonly ModelToolCall[];
	/** Its reasoning as its service wants it back beside the calls. */
	readonly thoughts: readonly ModelThought[];
	readonly finishReason: string;
	readonly usage: ModelUsage;
	/** Seconds from the request to the end of the reply. */
	readonly latency: number;
	/** Sentences on what of the request the model's service did not take as it was asked. */
	readonly warnings: readonly string[];
}

/**
 * Asks a model and gathers its reply; `onPart` sees each piece as it comes.
 * @throws {NodeError} if the model fails, or its reply ends before its end
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
		for await (const part of untilAborted(models.stream(request, signal), signal)) {
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
		throw error instanceof NodeError ? error : new NodeError((error as Error).message, errorType(error), { cause: error });
	}
	if (!end) {
		throw new NodeError(`The reply of the model "${request.model}" broke off`, 'InvokeConnectionError');
	}
	const { finishReason, usage, thoughts = [], warnings = [] } = end;
	return { text, reasoning, calls, thoughts, finishReason, usage, latency: (performance.now() - started) / 1000, warnings };
}

/** What `process_data` tells of a reply that was not asked for in full. */
export function warningsOf({ warnings }: Pick<ModelReply, 'warnings'>): { readonly warnings?: readonly string[] } {
	return warnings.length > 0 ? { warnings } : {};
}

/** `usage` as nodes put it out; prices are text, and "0" where unknown (workflow DSL, "llm"). */
export function usageOutput({ usage, latency }: Pick<ModelReply, 'usage' | 'latency'>): Record<string, unknown> {
	return {
		prompt_tokens: usage.promptTokens,
		completion_tokens: usage.completionTokens,
		total_tokens: usage.promptTokens + usage.completionTokens,
		total_price: usage.totalPrice ?? '0',
		currency: usage.currency ?? 'USD',
		latency: Math.round(latency * 1000) / 1000,
	};
}

/** What `execution_metadata` tells of a reply. */
export function usageMetadata(...replies: readonly ModelReply[]): Record<string, unknown> {
	const priced = replies.filter(({ usage }) => usage.totalPrice !== undefined);
	const isFree = priced.length > 0 && priced.every(({ usage }) => Number(usage.totalPrice) === 0);
	return {
		total_tokens: replies.reduce((sum, { usage }) => sum + usage.promptTokens + usage.completionTokens, 0),
		total_price: priceText(priced.reduce((sum, { usage }) => sum + Number(usage.totalPrice), 0)),
		currency: priced[0]?.usage.currency ?? 'USD',
		// "0" is said of what is not known, too
		...(isFree && { free: true }),
	};
}

/** Error types that a fail-branch can tell apart (workflow DSL, "Failure handling"), by the reason that a fault of a model carries. */
function errorType(error: unknown): string {
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
};

/** Ends with the signal, also if the source does not look at it. */
async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
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
			// a source that is stuck answers this only when it wakes up: nobody waits for it
			void Promise.resolve(iterator.return?.()).catch(() => {});
		}
	}
}
