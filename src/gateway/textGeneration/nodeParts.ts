import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { TokenUsage } from '#contract/text/tokenPrice.ts';
import type { ModelPart, ModelRequest, ModelThought } from '#engine/run/engineTypes.ts';
import { toTokenUsage } from '#models/calls/modelUsage.ts';
import { checkFinish } from '#models/failedFinish.ts';
import { awaitProvider, toModelFault } from '#models/modelFault.ts';
import type { ModelRoute } from '#models/modelRoute.ts';
import { ReplyLength } from '#models/replyLength.ts';
import { formatWarnings, toSnakeCase } from '#models/translate/warningHeader.ts';
import { toModelCall } from './nodeCall.ts';
import { addParameters } from './nodeParameters.ts';
import type { TextGeneration } from './textGeneration.ts';

/**
 * Streams a reply of a route's model to a node, and calls `used` with its token usage. Rejects with an error. Stops if the signal aborts.
 */
export async function* streamNodeParts(
	generation: TextGeneration,
	route: ModelRoute,
	request: ModelRequest,
	signal: AbortSignal,
	used: (usage: TokenUsage) => void,
): AsyncGenerator<ModelPart, void> {
	try {
		const call = addParameters(toModelCall(request), request, route.provider);
		const { eventFetch } = generation;
		const { model, options, names, warnings } = await generation.prepareCall(route, request.model, call, signal, eventFetch);
		const { stream } = await awaitProvider(model.doStream(options), route);
		const reported: string[] = [];
		const length = new ReplyLength(request.model);
		const thoughts = new Thoughts();
		let calls = 0;
		for await (const part of stream) {
			thoughts.add(part);
			length.add(part);
			switch (part.type) {
				case 'stream-start':
					reported.push(...formatWarnings(part.warnings).map(toSnakeCase));
					break;
				case 'text-delta':
					yield { type: 'text', text: part.delta };
					break;
				case 'reasoning-delta':
					yield { type: 'reasoning', text: part.delta };
					break;
				case 'tool-call': {
					const { toolCallId: id, toolName: name, input, providerMetadata: metadata } = names.restoreName(part);
					calls++;
					yield { type: 'call', id, name, input, ...(metadata && { metadata }) };
					break;
				}
				case 'error':
					throw part.error;
				case 'finish': {
					if (part.finishReason.unified === 'interrupted') {
						break;
					}
					const tokens = toTokenUsage(part.usage);
					if (tokens) {
						used(tokens);
					}
					checkFinish(part, route);
					const usage = { promptTokens: tokens?.input ?? 0, completionTokens: tokens?.output ?? 0 };
					const lost = [...new Set([...warnings, ...reported])];
					yield {
						type: 'finish',
						finishReason: part.finishReason.unified,
						usage,
						...(calls > 0 && { thoughts: thoughts.all }),
						...(lost.length > 0 && { warnings: lost }),
					};
					return;
				}
			}
		}
		throw new ServiceFault(502, localizable`The response from '${request.model}' ended before it was complete.`);
	} catch (error) {
		signal.throwIfAborted();
		throw toModelFault(error, route);
	}
}

/**
 * The reasoning in a reply, with the service's metadata for each part. The metadata, such as a signature, is required to send tool calls
 * back.
 */
class Thoughts {
	readonly #pieces = new Map<string, { text: string; metadata: SharedV4ProviderMetadata | undefined }>();

	get all(): readonly ModelThought[] {
		return [...this.#pieces.values()].map(({ text, metadata }) => ({ text, ...(metadata && { metadata }) }));
	}

	add(part: LanguageModelV4StreamPart): void {
		if (part.type !== 'reasoning-start' && part.type !== 'reasoning-delta' && part.type !== 'reasoning-end') {
			return;
		}
		const piece = this.#pieces.get(part.id) ?? { text: '', metadata: undefined };
		this.#pieces.set(part.id, piece);
		piece.text += part.type === 'reasoning-delta' ? part.delta : '';
		piece.metadata = part.providerMetadata ? mergeMetadata(piece.metadata, part.providerMetadata) : piece.metadata;
	}
}

function mergeMetadata(before: SharedV4ProviderMetadata = {}, more: SharedV4ProviderMetadata): SharedV4ProviderMetadata {
	const added = Object.entries(more).map(([provider, values]) => [provider, { ...before[provider], ...values }] as const);
	return { ...before, ...Object.fromEntries(added) };
}
