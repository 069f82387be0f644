import type { LanguageModelV4CallOptions, LanguageModelV4ProviderTool } from '@ai-sdk/provider';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { Provider } from '../routeConfig.ts';
import type { CallExtras } from '../translate/modelCall.ts';

/** Web search tools of providers, as named by the AI SDK. */
const searches: Partial<Readonly<Record<Provider, LanguageModelV4ProviderTool>>> = {
	anthropic: { type: 'provider', id: 'anthropic.web_search_20250305', name: 'web_search', args: {} },
	google: { type: 'provider', id: 'google.google_search', name: 'google_search', args: {} },
};

/**
 * Adds the upstream's web search if the caller requested one. Throws an error (400) with advice if the upstream has none, or doesn't
 * support it in addition to functions (Gemini before version 3).
 */
export function addWebSearch(
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
			localizable`${webSearch.field}: the model's service has no web search. Remove the tool, add a search function, or use a model from Anthropic or Google.`,
		);
	}
	const { tools = [] } = call;
	if (provider === 'google' && tools.length > 0 && !/gemini-([3-9]|\d\d)/.test(model)) {
		throw new ServiceFault(
			400,
			localizable`${webSearch.field}: ${model} can't search the web and call functions in one request. Remove one of them, or use Gemini 3 or later.`,
		);
	}
	return { ...call, tools: [...tools, search] };
}
