import type { LanguageModelV4CallOptions, LanguageModelV4ProviderTool } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { Provider } from '../routeConfig.ts';
import type { CallExtras } from '../translate/modelCall.ts';

/** A service's own web search, as the AI SDK names it. */
const searches: Partial<Readonly<Record<Provider, LanguageModelV4ProviderTool>>> = {
	anthropic: { type: 'provider', id: 'anthropic.web_search_20250305', name: 'web_search', args: {} },
	google: { type: 'provider', id: 'google.google_search', name: 'google_search', args: {} },
};

/**
 * Adds the upstream's own web search where the caller asked for its service's. Throws a fault (400) that says what to do where the upstream has none,
 * or does not take it beside functions (Gemini before version 3).
 */
export function webSearchTools(
	call: LanguageModelV4CallOptions,
	webSearch: CallExtras['webSearch'],
	provider: Provider,
	model: string,
): LanguageModelV4CallOptions {
	if (!webSearch) {
		return call;
	}
	const search = searches[provider];
	if (!search) {
		throw new ServiceFault(
			400,
			`${webSearch.field}: the service behind this model has no web search of its own. Leave the tool out, give the model a function that searches, or use a model of Anthropic or Google.`,
		);
	}
	const { tools = [] } = call;
	if (provider === 'google' && tools.length > 0 && !/gemini-([3-9]|\d\d)/.test(model)) {
		throw new ServiceFault(
			400,
			`${webSearch.field}: ${model} searches the web or calls functions, not both in one request. Leave one of them out, or use Gemini 3 or later.`,
		);
	}
	return { ...call, tools: [...tools, search] };
}
