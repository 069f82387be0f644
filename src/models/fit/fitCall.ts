import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ModelRoute } from '../modelRoute.ts';
import type { Provider } from '../routeConfig.ts';
import { builtInStop } from '../translate/completions/completionsCall.ts';
import type { CallExtras, ModelCall } from '../translate/modelCall.ts';
import { liftToolFiles } from './liftToolFiles.ts';
import { removeUnsignedThinking } from './thinking.ts';
import { ToolNames } from './toolNames.ts';
import { addWebSearch } from './webSearch.ts';

/** A call that its upstream supports. */
interface FittedCall {
	readonly options: LanguageModelV4CallOptions;
	/** Restores the caller's tool names in the reply. */
	readonly names: ToolNames;
	/** Descriptions of what was lost or changed. */
	readonly warnings: readonly string[];
}

/** Maximum number of stop sequences by provider. */
const stopLimits: Partial<Readonly<Record<Provider, number>>> = { google: 5, 'openai-compatible': 4 };

/**
 * Adapts a call to the service behind a route: limits, names, and options that the AI SDK's providers would drop or send in an unsupported
 * form. Throws an error (400) for unsupported features.
 * @param model the model name at the service
 */
export function fitCall({ extras = {}, ...call }: ModelCall, route: ModelRoute, model: string): FittedCall {
	const warnings = [...(extras.lost ?? [])];
	const { provider } = route;
	const names = new ToolNames(call, provider);
	let options = names.shortenNames(capTokens(call, route, warnings));
	options = fitStops(options, provider, warnings);
	options = addWebSearch(options, extras.webSearch, provider, model);
	options = applyExtras(options, extras, provider, warnings);
	if (provider === 'anthropic') {
		options = removeUnsignedThinking(options, warnings);
	} else if (provider !== 'offline') {
		options = { ...options, prompt: liftToolFiles(options.prompt) };
	}
	return { options, names, warnings };
}

function capTokens(call: LanguageModelV4CallOptions, { maxOutputTokens }: ModelRoute, warnings: string[]): LanguageModelV4CallOptions {
	if (maxOutputTokens === undefined || (call.maxOutputTokens ?? Number.POSITIVE_INFINITY) <= maxOutputTokens) {
		return call;
	}
	if (call.maxOutputTokens !== undefined) {
		warnings.push(`max_tokens: lowered from ${call.maxOutputTokens} to ${maxOutputTokens}, the limit of the route`);
	}
	return { ...call, maxOutputTokens };
}

/** Drops the built-in stop sequence of completions (D) to make room for the caller's, because chat models don't write it. */
function fitStops(call: LanguageModelV4CallOptions, provider: Provider, warnings: string[]): LanguageModelV4CallOptions {
	const limit = stopLimits[provider];
	const { stopSequences = [] } = call;
	if (limit === undefined || stopSequences.length <= limit) {
		return call;
	}
	const own = stopSequences.filter(sequence => sequence !== builtInStop);
	if (provider === 'google' && own.length > limit) {
		throw new ServiceFault(400, localizable`stop_sequences: the model's service accepts at most ${limit}, got ${own.length}.`);
	}
	if (own.length < stopSequences.length) {
		warnings.push(`stop_sequences: removed the built-in "\\n\\nHuman:" because the model's service accepts at most ${limit}`);
	}
	return { ...call, stopSequences: own };
}

function applyExtras(
	call: LanguageModelV4CallOptions,
	{ singleToolCall, userId }: CallExtras,
	provider: Provider,
	warnings: string[],
): LanguageModelV4CallOptions {
	const single = singleToolCall !== undefined && (call.tools?.length ?? 0) > 0;
	switch (provider) {
		case 'openai-compatible':
		case 'ollama':
			return addOptions(call, 'openaiCompatible', {
				...(single && { parallel_tool_calls: false }),
				...(userId !== undefined && { user: userId }),
			});
		case 'anthropic':
			return addOptions(call, 'anthropic', {
				...(single && { disableParallelToolUse: true }),
				...(userId !== undefined && { metadata: { userId } }),
			});
		case 'google':
			warnings.push(
				...(single ? [`${singleToolCall.field}: ignored because Gemini may call several tools at once`] : []),
				...(userId === undefined ? [] : ['metadata.user_id: ignored because Gemini has no such field']),
			);
			return call;
		case 'offline':
			return call;
	}
}

function addOptions(
	call: LanguageModelV4CallOptions,
	provider: string,
	options: NonNullable<LanguageModelV4CallOptions['providerOptions']>[string],
): LanguageModelV4CallOptions {
	return Object.keys(options).length === 0
		? call
		: { ...call, providerOptions: { ...call.providerOptions, [provider]: { ...call.providerOptions?.[provider], ...options } } };
}
