import * as z from 'zod';

/** Kinds of upstreams that generate text. */
export const providers = ['anthropic', 'google', 'openai-compatible', 'ollama', 'offline'] as const;
export type Provider = (typeof providers)[number];

export const keyName = z.string().min(1).describe('Name of a key in the key file or on stdin. Never the key itself.');
export const httpUrl = z.url({ protocol: /^https?$/, hostname: /.+/, error: 'expected an http or https URL' });

/** Upper limit, so that sums stay finite numbers. */
const money = z.number().min(0).max(1_000_000_000);

const priceFields = {
	input: money.describe('Price of one million prompt tokens.'),
	output: money.describe('Price of one million reply tokens.'),
	cached: money
		.optional()
		.describe('Price of one million prompt tokens that the service read from its cache. Default: the price of "input".'),
	currency: z
		.string()
		.regex(/^[A-Z]{3}$/, 'expected a three-letter currency code, for example USD')
		.default('USD')
		.describe('Three-letter currency code.'),
};

const priceSchema = z.strictObject(priceFields).describe('Token prices. Nodes, runs, suites and the usage page show costs based on them.');

/** The price of models whose routes have none. */
export const priceRuleSchema = z.strictObject({
	model: z.string().min(1).describe('Model name. "*" matches any characters.'),
	...priceFields,
});

/** Age and size limits of cached replies. */
const cacheSchema = z.strictObject({
	max_age_days: z.number().positive().max(3650).default(30).describe('Maximum age of cached replies in days.'),
	max_megabytes: z
		.number()
		.positive()
		.max(100_000)
		.default(100)
		.describe('Maximum size of the cache in megabytes. The oldest replies are removed first.'),
});

/** A route: the upstream that serves models with matching names. The first match counts. */
export const routeSchema = z
	.strictObject({
		model: z.string().min(1).describe('Model name that callers use. "*" matches any characters.'),
		provider: z.enum(providers).describe('Protocol of the upstream. "offline" is the built-in offline model.'),
		base_url: httpUrl
			.optional()
			.describe(
				'URL of the upstream without /v1/messages, /v1beta/models or /chat/completions. Default: the URL of the provider. Required for "openai-compatible", for example "http://127.0.0.1:1234/v1".',
			),
		upstream_model: z.string().min(1).optional().describe('Model name to send upstream. Default: the name that the caller used.'),
		max_output_tokens: z
			.int()
			.min(1)
			.optional()
			.describe('Maximum number of tokens in a reply, even if the caller sets no limit. Callers that ask for more get a "warning" header.'),
		context_tokens: z
			.int()
			.min(1)
			.optional()
			.describe(
				'Context window of the model in tokens, for prompt and reply together. Default: 128000. Chat apps (model_config) send as many earlier messages as fit.',
			),
		fallback: z
			.array(
				z
					.string()
					.min(1)
					.regex(/^[^*]*$/, 'expected a model name without "*"'),
			)
			.optional()
			.describe(
				'Models to try in order if this route responds with 429 or 5xx, or times out, before its reply starts. Each must have a separate route or be "offline".',
			),
		retries: z
			.int()
			.min(0)
			.max(10)
			.optional()
			.describe('Number of retries with the same route before a fallback. Default: 0. "Retry-After" is respected up to 30 seconds.'),
		timeout: z.number().positive().max(3600).optional().describe('Timeout in seconds until the reply starts. Default: 610.'),
		cache: z
			.union([z.boolean(), cacheSchema])
			.optional()
			.describe(
				'Whether to cache replies and reuse them for identical requests (keys are ignored). Default: off. The response header "x-agent-workbench-cache" shows cache hits.',
			),
		price: priceSchema.optional(),
		key: keyName.optional(),
		auth: z
			.enum(['header', 'bearer'])
			.optional()
			.describe(
				'How to send the key: in the header of the provider (default), or as "Authorization: Bearer", which many gateways require.',
			),
		responses: z
			.boolean()
			.optional()
			.describe(
				"Whether the service supports OpenAI's /v1/responses. If so, requests are forwarded unchanged and the service stores responses. By default, requests are translated to /chat/completions and responses are stored here.",
			),
	})
	.refine(route => route.provider !== 'openai-compatible' || route.base_url !== undefined, {
		path: ['base_url'],
		error: 'expected a URL because "openai-compatible" has no default',
	})
	.refine(route => route.responses !== true || route.provider === 'openai-compatible' || route.provider === 'ollama', {
		path: ['responses'],
		error: 'expected true only for a service with OpenAI\'s protocol: "openai-compatible" or "ollama"',
	});
export type RouteConfig = z.infer<typeof routeSchema>;
