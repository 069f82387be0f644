import { createWildcardMatcher } from '#base/text/wildcard.ts';
import type { TokenPrice } from './tokenPrice.ts';

/** A price that the user sets for models. "*" in `model` matches any characters. */
export interface PriceRule extends TokenPrice {
	readonly model: string;
}

/** A provider with published prices. */
interface Provider {
	/** Origin of its API. Its prices don't apply to services that resell its models. */
	readonly origin: string;
	/** The page with the prices, and the day they were last compared with it. */
	readonly source: string;
	readonly asOf: string;
	/** Dollars for a million tokens: input, output, cached input; and the maximum number of tokens of a reply, if it's published. */
	readonly models: Readonly<Record<string, KnownModel>>;
}

interface KnownModel {
	readonly input: number;
	readonly output: number;
	readonly cached?: number;
	/** Prices of a request with more input tokens than `above`. */
	readonly long?: NonNullable<TokenPrice['long']>;
	readonly maxOutput?: number;
}

const opus = { input: 5, output: 25, cached: 0.5 };
const sonnet = { input: 3, output: 15, cached: 0.3 };
const sol = { input: 2, output: 10 };

/** Published prices. Models whose price depends on more than tokens, or changes soon, are missing. */
export const providers: readonly Provider[] = [
	{
		origin: 'https://api.anthropic.com',
		source: 'https://platform.claude.com/docs/en/about-claude/pricing',
		asOf: '2026-10-24',
		models: {
			'claude-fable-5-1': { input: 10, output: 50, cached: 0.25, maxOutput: 128_000 },
			'claude-fable-5': { input: 10, output: 50, cached: 1 },
			'claude-opus-5-5': { input: 4, output: 20, cached: 0.2, maxOutput: 128_000 },
			'claude-opus-5': { ...opus, maxOutput: 128_000 },
			'claude-opus-4-8': opus,
			'claude-opus-4-7': opus,
			'claude-opus-4-6': opus,
			'claude-opus-4-5': opus,
			'claude-opus-4-1': { input: 15, output: 75, cached: 1.5 },
			'claude-sonnet-5-5': { input: 2, output: 10, cached: 0.1, maxOutput: 128_000 },
			'claude-sonnet-5': { input: 2, output: 10, cached: 0.2, maxOutput: 128_000 },
			'claude-sonnet-4-6': sonnet,
			'claude-sonnet-4-5': sonnet,
			'claude-haiku-5-5': {
				...{ input: 0.1, output: 0.5, cached: 0.01, maxOutput: 128_000 },
				long: { above: 100_000, input: 0.5, output: 2.5, cached: 0.05 },
			},
			'claude-haiku-4-5': { input: 1, output: 5, cached: 0.1, maxOutput: 64_000 },
		},
	},
	{
		origin: 'https://api.openai.com',
		source: 'https://developers.openai.com/api/docs/pricing',
		asOf: '2026-10-18',
		models: {
			'gpt-6.2-astra': { input: 8, output: 40, cached: 0.4, long: { above: 272_000, input: 16, output: 60, cached: 0.8 } },
			'gpt-6.2-sol': { ...sol, cached: 0.1, long: { above: 272_000, input: 4, output: 15, cached: 0.2 } },
			'gpt-6-sol': { ...sol, cached: 0.2, long: { above: 272_000, input: 4, output: 15, cached: 0.4 } },
			'gpt-6-astra': { input: 10, output: 50, cached: 1, long: { above: 272_000, input: 20, output: 75, cached: 2 } },
			'gpt-5.6-luna': { input: 0.2, output: 1.2, cached: 0.02, long: { above: 272_000, input: 0.4, output: 1.8, cached: 0.04 } },
			'gpt-5-mini': { input: 0.25, output: 2, cached: 0.025 },
			'gpt-5-nano': { input: 0.05, output: 0.4, cached: 0.005 },
			'gpt-5': { input: 1.25, output: 10, cached: 0.125 },
			'gpt-4.1': { input: 2, output: 8, cached: 0.5 },
			'gpt-4.1-mini': { input: 0.4, output: 1.6, cached: 0.1 },
			'gpt-4.1-nano': { input: 0.1, output: 0.4, cached: 0.025 },
			'gpt-4o': { input: 2.5, output: 10, cached: 1.25 },
			'gpt-4o-mini': { input: 0.15, output: 0.6, cached: 0.075 },
		},
	},
	{
		origin: 'https://generativelanguage.googleapis.com',
		source: 'https://ai.google.dev/gemini-api/docs/pricing',
		asOf: '2026-10-07',
		models: {
			'gemini-4-neon': { input: 3, output: 15, cached: 0.15 },
			'gemini-4-hydrogen': { input: 1.5, output: 7.5, cached: 0.075 },
			'gemini-3.5-flash': { input: 1.5, output: 9 },
			'gemini-3.5-flash-lite': { input: 0.3, output: 2.5 },
			'gemini-3.1-pro-preview': { input: 2, output: 12, long: { above: 200_000, input: 4, output: 18 } },
		},
	},
];

/** Returns the price of a model: the user's, or else the published one of the service with this origin. Undefined if it's unknown. */
export function findModelPrice(rules: readonly PriceRule[], origin: string, model: string): TokenPrice | undefined {
	const rule = rules.find(rule => createWildcardMatcher(rule.model)(model));
	if (rule) {
		const { model: _, ...price } = rule;
		return price;
	}
	const models = providers.find(provider => provider.origin === origin)?.models;
	const known = models && findKnownModel(models, model);
	if (!known) {
		return undefined;
	}
	const { maxOutput: _, ...price } = known;
	return { ...price, currency: 'USD' };
}

/** Returns the maximum number of tokens of a model's reply, on any service. Undefined if it's unknown. */
export function findMaxOutput(model: string): number | undefined {
	return providers.map(({ models }) => findKnownModel(models, model)?.maxOutput).find(limit => limit !== undefined);
}

/** Finds a model by its name, or by the name of a dated version, such as `claude-haiku-4-5-20251001` or `gpt-5-2025-08-07`. */
function findKnownModel(models: Provider['models'], model: string): KnownModel | undefined {
	const name = model.replace(/^models\//, '').replace(/-(?:latest|\d{8}|\d{4}-\d{2}-\d{2})$/, '');
	return Object.hasOwn(models, name) ? models[name] : undefined;
}
