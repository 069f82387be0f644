import type { JSONSchema7, LanguageModelV4CallOptions, LanguageModelV4FilePart, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ModelContentPart, ModelMessage, ModelPart, ModelRequest, TextModels } from '../engine/engineTypes.ts';
import { ServiceFault } from '../server/serviceFault.ts';
import { modelFault } from './modelFault.ts';
import type { TextGeneration } from './textGeneration.ts';

/** Text generation for the nodes of agents, on the same routing table as C, D and E. */
export class GatewayTextModels implements TextModels {
	readonly #generation: TextGeneration;

	constructor(generation: TextGeneration) {
		this.#generation = generation;
	}

	async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
		const route = this.#generation.table.find(request.model);
		try {
			const { model, options } = await this.#generation.prepare(route, request.model, callOf(request), signal);
			const { stream } = await model.doStream(options);
			for await (const part of stream) {
				switch (part.type) {
					case 'text-delta':
						yield { type: 'text', text: part.delta };
						break;
					case 'reasoning-delta':
						yield { type: 'reasoning', text: part.delta };
						break;
					case 'error':
						throw part.error;
					case 'finish': {
						if (part.finishReason.unified === 'interrupted') {
							break;
						}
						const { inputTokens, outputTokens } = part.usage;
						const usage = { promptTokens: inputTokens.total ?? 0, completionTokens: outputTokens.total ?? 0 };
						yield { type: 'finish', finishReason: part.finishReason.unified, usage };
						return;
					}
				}
			}
			throw new ServiceFault(502, `The reply of ${request.model} ended before it was complete.`);
		} catch (error) {
			signal.throwIfAborted();
			throw modelFault(error, route);
		}
	}
}

function callOf(request: ModelRequest): LanguageModelV4CallOptions {
	const { maxTokens, temperature, topP, topK, stop, responseSchema } = request;
	return {
		prompt: promptOf(request.messages),
		...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
		...(temperature !== undefined && { temperature }),
		...(topP !== undefined && { topP }),
		...(topK !== undefined && { topK }),
		...(stop?.length && { stopSequences: [...stop] }),
		...(responseSchema && { responseFormat: { type: 'json' as const, schema: responseSchema as JSONSchema7 } }),
	};
}

/** System texts become one message at the front: not every provider takes more, or elsewhere. */
function promptOf(messages: readonly ModelMessage[]): LanguageModelV4Prompt {
	const systems = messages.filter(({ role }) => role === 'system').map(({ content }) => textOf(content));
	const turns = messages.flatMap(({ role, content }): LanguageModelV4Prompt => {
		if (role === 'system') {
			return [];
		}
		return role === 'user'
			? [{ role, content: typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(partOf) }]
			: [{ role, content: [{ type: 'text', text: textOf(content) }] }];
	});
	return systems.length > 0 ? [{ role: 'system', content: systems.join('\n\n') }, ...turns] : turns;
}

function textOf(content: string | readonly ModelContentPart[]): string {
	return typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '')).join('');
}

function partOf(part: ModelContentPart): { type: 'text'; text: string } | LanguageModelV4FilePart {
	if (part.type === 'text') {
		return { type: 'text', text: part.text };
	}
	if ('data' in part) {
		return { type: 'file', mediaType: part.mediaType, data: { type: 'data', data: part.data } };
	}
	if (!URL.canParse(part.url)) {
		throw new ServiceFault(400, 'An image has no address: expected one that begins with http or https.');
	}
	return { type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL(part.url) } };
}
