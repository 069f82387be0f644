import * as z from 'zod';

/** Kinds of upstream that text can come from (issue 4, item 4). */
export const providers = ['anthropic', 'google', 'openai-compatible', 'ollama', 'offline'] as const;
export type Provider = (typeof providers)[number];

export const keyName = z.string().min(1).describe('Name of a key in the key file, or among those given on stdin. Never the key itself.');
export const httpUrl = z.url({ protocol: /^https?$/, hostname: /.+/, error: 'expected an http or https address' });

/** Sums of it stay numbers that can be told, whatever tokens a service counts. */
const money = z.number().min(0).max(1_000_000_000);

/** What a route's tokens cost. */
const priceSchema = z
	.strictObject({
		input: money.describe('Price of a million tokens of prompts.'),
		output: money.describe('Price of a million tokens of replies.'),
		cached: money
			.optional()
			.describe('Price of a million tokens of prompts that the service read from its cache; by default that of "input".'),
		currency: z
			.string()
			.regex(/^[A-Z]{3}$/, 'expected a currency in three letters, as in USD')
			.default('USD')
			.describe('Currency in three letters.'),
	})
	.describe('What tokens cost: nodes, runs, suites and the usage show money where it is known.');
export type PriceConfig = z.infer<typeof priceSchema>;

/** How long replies of a route are kept to be given again, and how many. */
const cacheSchema = z.strictObject({
	max_age_days: z.number().positive().max(3650).default(30).describe('Days that a reply is good for.'),
	max_megabytes: z.number().positive().max(100_000).default(100).describe('Megabytes of replies that are kept; the oldest go first.'),
});

/** One line of the routing table: which upstream serves the models of a name. The first that matches is taken. */
export const routeSchema = z
	.strictObject({
		model: z.string().min(1).describe('Model name as callers write it; "*" stands for any characters.'),
		provider: z.enum(providers).describe('Protocol of the upstream; "offline" needs none.'),
		base_url: httpUrl
			.optional()
			.describe(
				'Address of the upstream, without /v1/messages, /v1beta/models or /chat/completions; by default the provider\'s own. "openai-compatible" needs one, as in "http://127.0.0.1:1234/v1".',
			),
		upstream_model: z.string().min(1).optional().describe('Model name to send upstream; by default the one that the caller wrote.'),
		max_output_tokens: z
			.int()
			.min(1)
			.optional()
			.describe(
				'Most tokens of one reply: a caller that asks for more, or does not say, gets this many, and who asked for more is told in the header "warning".',
			),
		context_tokens: z
			.int()
			.min(1)
			.optional()
			.describe(
				'Tokens that the model takes, prompt and reply together; 128000 by default. Chat apps (model_config) send as many earlier turns as fit.',
			),
		fallback: z
			.array(
				z
					.string()
					.min(1)
					.regex(/^[^*]*$/, 'expected the name of one model, without "*"'),
			)
			.optional()
			.describe(
				'Models that are asked in their order where this route answers 429 or 5xx, or not in time, before its reply has begun; each has to be served by a route of its own, or be "offline".',
			),
		retries: z
			.int()
			.min(0)
			.max(10)
			.optional()
			.describe(
				'How often the same route is asked again for the same reasons, before any fallback; 0 by default. "Retry-After" is heeded up to 30 seconds.',
			),
		timeout: z.number().positive().max(3600).optional().describe('Seconds until the reply has to begin; 610 by default.'),
		cache: z
			.union([z.boolean(), cacheSchema])
			.optional()
			.describe(
				'Whether replies are kept and given again to the same request, of which everything but the key counts; off by default. Answers say so in the header "x-agent-workbench-cache".',
			),
		price: priceSchema.optional(),
		key: keyName.optional(),
		auth: z
			.enum(['header', 'bearer'])
			.optional()
			.describe('How the key is sent: in the header of the provider (default), or as "Authorization: Bearer", as many gateways want it.'),
		responses: z
			.boolean()
			.optional()
			.describe(
				"Whether the service has OpenAI's /v1/responses: requests to it then go through as they are, and it keeps what they go on from. By default they are translated to /chat/completions, and kept here.",
			),
	})
	.refine(route => route.provider !== 'openai-compatible' || route.base_url !== undefined, {
		path: ['base_url'],
		error: 'expected an address: "openai-compatible" has none of its own',
	})
	.refine(route => route.responses !== true || route.provider === 'openai-compatible' || route.provider === 'ollama', {
		path: ['responses'],
		error: 'expected true only for a service with OpenAI\'s protocol: "openai-compatible" or "ollama"',
	});
export type RouteConfig = z.infer<typeof routeSchema>;
