import { getField } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { toModelFault } from '#models/modelFault.ts';
import { getStandInWarnings, type ModelRoute } from '#models/modelRoute.ts';
import { countInputTokens } from '#models/offline/offlineModel.ts';
import type { ModelCall } from '#models/translate/modelCall.ts';
import type { TextGeneration } from './textGeneration.ts';

/** Input tokens of a call, and warnings about parts that weren't counted because the service doesn't support them. */
interface InputCount {
	readonly tokens: number;
	/** Warnings like those of generating a reply. */
	readonly warnings: readonly string[];
}

/**
 * Counts the input tokens of a call. Anthropic and Google count them. For other services, the offline model's count is an estimate. Throws
 * the service's error.
 */
export async function countCallTokens(
	generation: TextGeneration,
	route: ModelRoute,
	requested: string,
	call: ModelCall,
	signal: AbortSignal,
): Promise<InputCount> {
	const operation = counting[route.provider];
	if (!operation) {
		return { tokens: countInputTokens(call), warnings: [...getStandInWarnings(route, requested), ...(call.extras?.lost ?? [])] };
	}
	let count: number | undefined;
	let replyWarnings: readonly string[] = [];
	/** The provider builds the body for generating a reply. This function sends it to be counted instead, and aborts the call. */
	const fetchCount: typeof fetch = async (input, init = {}) => {
		const response = await generation.fetch(operation.getAddress(String(input)), {
			...init,
			body: JSON.stringify(operation.formatBody(JSON.parse(String(init.body)), route.upstreamModel ?? requested)),
		});
		if (!response.ok) {
			return response;
		}
		count = readCount(await response.text(), operation.result);
		if (count === undefined) {
			throw new ServiceFault(502, localizable`The response from ${route.origin} has no token count.`);
		}
		throw new Error('Counted');
	};
	try {
		const { model, options, warnings } = await generation.prepareCall(route, requested, call, signal, fetchCount);
		replyWarnings = warnings;
		await model.doGenerate(options);
	} catch (error) {
		if (count === undefined) {
			throw toModelFault(error, route);
		}
	}
	return { tokens: count ?? 0, warnings: replyWarnings };
}

/** Returns the count in a reply; undefined if it has none. */
function readCount(reply: string, field: string): number | undefined {
	const count = getField(tryParseJson(reply), field);
	return typeof count === 'number' ? count : undefined;
}

interface CountOperation {
	/** Converts the URL for generating to the one for counting. */
	getAddress(url: string): string;
	formatBody(generation: Record<string, unknown>, model: string): unknown;
	/** Field of the response with the count. */
	readonly result: string;
}

const counting: Readonly<Record<string, CountOperation>> = {
	anthropic: {
		getAddress: url => `${url}/count_tokens`,
		formatBody: ({ model, messages, system, tools, tool_choice, thinking }) => ({ model, messages, system, tools, tool_choice, thinking }),
		result: 'input_tokens',
	},
	google: {
		getAddress: url => url.replace(/:generateContent$/, ':countTokens'),
		formatBody: (generation, model) => ({ generateContentRequest: { model: `models/${model.replace(/^models\//, '')}`, ...generation } }),
		result: 'totalTokens',
	},
};
