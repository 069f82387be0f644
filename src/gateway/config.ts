import * as z from 'zod';

/** Kinds of upstream that text can come from (issue 4, item 4). */
export const providers = ['anthropic', 'google', 'openai-compatible', 'ollama', 'offline'] as const;
export type Provider = (typeof providers)[number];

const keyName = z.string().min(1).describe('Name of a key in the key file, or among those given on stdin. Never the key itself.');
const httpUrl = z.url({ protocol: /^https?$/, hostname: /.+/, error: 'expected an http or https address' });

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
		key: keyName.optional(),
		auth: z
			.enum(['header', 'bearer'])
			.optional()
			.describe('How the key is sent: in the header of the provider (default), or as "Authorization: Bearer", as many gateways want it.'),
	})
	.refine(route => route.provider !== 'openai-compatible' || route.base_url !== undefined, {
		path: ['base_url'],
		error: 'expected an address: "openai-compatible" has none of its own',
	});
export type RouteConfig = z.infer<typeof routeSchema>;

/** An agent that runs elsewhere, on a Dify deployment (wire facts 1.0). */
export const difyAgentSchema = z.strictObject({
	base_url: httpUrl.describe('Address of the deployment\'s service API, as in "https://api.dify.ai/v1".'),
	key: keyName,
});
export type DifyAgentConfig = z.infer<typeof difyAgentSchema>;

/** What nodes of local agents may do. */
export const engineConfigSchema = z.strictObject({
	allow_private_network: z
		.boolean()
		.optional()
		.describe('Whether http-request nodes may reach private, loopback and link-local addresses.'),
	python: z.string().min(1).optional().describe('Python to run python3 code nodes with; without it they fail.'),
});

/** The file of `--config`. */
export const configSchema = z.strictObject({
	$schema: z.string().optional(),
	routes: z.array(routeSchema).default([]).describe('Where text generation comes from, by model name.'),
	agents: z
		.record(z.string().min(1), z.strictObject({ dify: difyAgentSchema }))
		.default({})
		.describe('Agents that run on a Dify deployment, by agent name.'),
	engine: engineConfigSchema.default({}).describe('What nodes of local agents may do.'),
});
export type GatewayConfig = z.infer<typeof configSchema>;
