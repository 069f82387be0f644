import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ModelRoute } from '../modelRoute.ts';
import type { Provider } from '../routeConfig.ts';
import { builtInStop } from '../translate/completions/completionsCall.ts';
import type { CallExtras, ModelCall } from '../translate/modelCall.ts';
import { liftToolFiles } from './liftToolFiles.ts';
import { withoutUnsignedThinking } from './thinking.ts';
import { ToolNames } from './toolNames.ts';
import { webSearchTools } from './webSearch.ts';

/** A call as its upstream can take it. */
interface FittedCall {
	readonly options: LanguageModelV4CallOptions;
	/** Gives the parts of the reply back the names that the caller knows. */
	readonly names: ToolNames;
	/** Sentences on what was lost or changed. */
	readonly warnings: readonly string[];
}

/** Most stop sequences that a service takes. */
const stopLimits: Partial<Readonly<Record<Provider, number>>> = { google: 5, 'openai-compatible': 4 };

/**
 * Brings a call to the terms of the service behind a route: limits, names, and what the AI SDK's providers would drop or send in a form that the
 * service does not read. `model`: the name at the service. Throws a fault (400) for what the service has no way to do.
 */
export function fitCall({ extras = {}, ...call }: ModelCall, route: ModelRoute, model: string): FittedCall {
	const warnings = [...(extras.lost ?? [])];
	const { provider } = route;
	const names = new ToolNames(call, provider);
	let options = names.shorten(capTokens(call, route, warnings));
	options = fitStops(options, provider, warnings);
	options = webSearchTools(options, extras.webSearch, provider, model);
	options = withExtrasOf(options, extras, provider, warnings);
	if (provider === 'anthropic') {
		options = withoutUnsignedThinking(options, warnings);
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
		warnings.push(`max_tokens: lowered from ${call.maxOutputTokens} to the ${maxOutputTokens} that the route allows`);
	}
	return { ...call, maxOutputTokens };
}

/** The built-in stop of D gives way to the caller's own sequences: models that take messages do not write it. */
function fitStops(call: LanguageModelV4CallOptions, provider: Provider, warnings: string[]): LanguageModelV4CallOptions {
	const limit = stopLimits[provider];
	const { stopSequences = [] } = call;
	if (limit === undefined || stopSequences.length <= limit) {
		return call;
	}
	const own = stopSequences.filter(sequence => sequence !== builtInStop);
	if (provider === 'google' && own.length > limit) {
		throw new ServiceFault(400, `stop_sequences: the service behind this model takes at most ${limit}, got ${own.length}`);
	}
	if (own.length < stopSequences.length) {
		warnings.push(`stop_sequences: the built-in "\\n\\nHuman:" was left out, the service behind this model takes at most ${limit}`);
	}
	return { ...call, stopSequences: own };
}

function withExtrasOf(
	call: LanguageModelV4CallOptions,
	{ singleToolCall, userId }: CallExtras,
	provider: Provider,
	warnings: string[],
): LanguageModelV4CallOptions {
	const single = singleToolCall !== undefined && (call.tools?.length ?? 0) > 0;
	switch (provider) {
		case 'openai-compatible':
		case 'ollama':
			return withOptions(call, 'openaiCompatible', {
				...(single && { parallel_tool_calls: false }),
				...(userId !== undefined && { user: userId }),
			});
		case 'anthropic':
			return withOptions(call, 'anthropic', {
				...(single && { disableParallelToolUse: true }),
				...(userId !== undefined && { metadata: { userId } }),
			});
		case 'google':
			warnings.push(
				...(single ? [`${singleToolCall.field}: not carried over, Gemini may call several tools at once`] : []),
				...(userId === undefined ? [] : ['metadata.user_id: not carried over, Gemini has no place for it']),
			);
			return call;
		case 'offline':
			return call;
	}
}

/** A call with more options for one provider. */
function withOptions(
	call: LanguageModelV4CallOptions,
	provider: string,
	options: NonNullable<LanguageModelV4CallOptions['providerOptions']>[string],
): LanguageModelV4CallOptions {
	return Object.keys(options).length === 0
		? call
		: { ...call, providerOptions: { ...call.providerOptions, [provider]: { ...call.providerOptions?.[provider], ...options } } };
}
