import { fieldOf } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { modelFault } from '#models/modelFault.ts';
import { type ModelRoute, standInWarnings } from '#models/modelRoute.ts';
import { inputTokens } from '#models/offline/offlineModel.ts';
import type { ModelCall } from '#models/translate/modelCall.ts';
import type { TextGeneration } from './textGeneration.ts';

/** What a call counts, and what of it was left out of the count because the service behind the route does not take it. */
interface InputCount {
	readonly tokens: number;
	/** Sentences, as those of a generation. */
	readonly warnings: readonly string[];
}

/**
 * Input tokens of a call. Anthropic and Google count it themselves; the offline model has a count of its own, which is the estimate for services
 * that cannot count (openai-compatible, ollama). Throws a fault where the service refuses.
 */
export async function countInput(
	generation: TextGeneration,
	route: ModelRoute,
	requested: string,
	call: ModelCall,
	signal: AbortSignal,
): Promise<InputCount> {
	const operation = counting[route.provider];
	if (!operation) {
		return { tokens: inputTokens(call), warnings: [...standInWarnings(route, requested), ...(call.extras?.lost ?? [])] };
	}
	let count: number | undefined;
	let told: readonly string[] = [];
	/** The provider builds the body of a generation; this sends it to be counted instead, and ends the call there. */
	const countingFetch: typeof fetch = async (input, init = {}) => {
		const response = await generation.fetch(operation.address(String(input)), {
			...init,
			body: JSON.stringify(operation.body(JSON.parse(String(init.body)), route.upstreamModel ?? requested)),
		});
		if (!response.ok) {
			return response;
		}
		count = countIn(await response.text(), operation.result);
		if (count === undefined) {
			throw new ServiceFault(502, `The service at ${route.origin} answered without the number of tokens.`);
		}
		throw new Error('Counted');
	};
	try {
		const { model, options, warnings } = await generation.prepare(route, requested, call, signal, countingFetch);
		told = warnings;
		await model.doGenerate(options);
	} catch (error) {
		if (count === undefined) {
			throw modelFault(error, route);
		}
	}
	return { tokens: count ?? 0, warnings: told };
}

/** The count in a reply; undefined if the reply is something else. */
function countIn(reply: string, field: string): number | undefined {
	const count = fieldOf(tryParseJson(reply), field);
	return typeof count === 'number' ? count : undefined;
}

interface CountOperation {
	/** Address to count at, from that to generate at. */
	address(url: string): string;
	body(generation: Record<string, unknown>, model: string): unknown;
	/** Field of the answer that holds the count. */
	readonly result: string;
}

const counting: Readonly<Record<string, CountOperation>> = {
	anthropic: {
		address: url => `${url}/count_tokens`,
		body: ({ model, messages, system, tools, tool_choice, thinking }) => ({ model, messages, system, tools, tool_choice, thinking }),
		result: 'input_tokens',
	},
	google: {
		address: url => url.replace(/:generateContent$/, ':countTokens'),
		body: (generation, model) => ({ generateContentRequest: { model: `models/${model.replace(/^models\//, '')}`, ...generation } }),
		result: 'totalTokens',
	},
};
