import * as z from 'zod';
import { wildcard } from '#base/text/wildcard.ts';
import { httpUrl, keyName, type RouteConfig, routeSchema } from '#models/routeConfig.ts';
import { isOrigin } from '../server/allowedOrigins.ts';

/** An agent that runs elsewhere, on a Dify deployment (wire facts 1.0). */
export const difyAgentSchema = z.strictObject({
	base_url: httpUrl.describe('Address of the deployment\'s service API, as in "https://api.dify.ai/v1".'),
	key: keyName,
});
export type DifyAgentConfig = z.infer<typeof difyAgentSchema>;

/** Secrets of an agent of this gateway. */
const agentSecretsConfigSchema = z
	.record(z.string().min(1), keyName)
	.describe('Keys for secret environment variables that the agent file leaves empty, by variable.');
const keyHint = `A value may hold \${key:NAME}, which stands for a key of the key file or of stdin.`;
const timeout = z.int().min(1).max(600).optional().describe('Seconds that one call may take; 60 by default.');

/** A server whose tools agents use (Model Context Protocol). */
const mcpServerSchema = z.union([
	z
		.strictObject({
			command: z.string().min(1).describe('Program that speaks MCP over its standard input and output.'),
			args: z.array(z.string()).optional().describe('Arguments of the program.'),
			env: z.record(z.string().min(1), z.string()).optional().describe(`Variables of the program. ${keyHint}`),
			cwd: z.string().min(1).optional().describe('Folder that the program runs in.'),
			timeout,
		})
		.describe('A program, which is started with its first use and ends with the gateway.'),
	z
		.strictObject({
			url: httpUrl.describe('Address of the server (streamable HTTP).'),
			headers: z.record(z.string().min(1), z.string()).optional().describe(`Headers of each request. ${keyHint}`),
			timeout,
		})
		.describe('A server over HTTP.'),
]);
export type McpServerConfig = z.infer<typeof mcpServerSchema>;

/** A service whose OpenAPI description says what tools it has. */
const apiToolSchema = z.strictObject({
	schema: z.string().min(1).describe('File with the OpenAPI 3 description of the service, JSON or YAML.'),
	base_url: httpUrl.optional().describe('Address of the service, on a private network too; by default the one in its description.'),
	headers: z.record(z.string().min(1), z.string()).optional().describe(`Headers of each request. ${keyHint}`),
});

/** The service that searches the web for agents. */
const searchSchema = z.strictObject({
	url: z
		.string()
		.refine(url => url.includes('{query}') && URL.canParse(url.replaceAll('{query}', 'x')), {
			error: 'expected an http or https address with {query} in it',
		})
		.describe('Address with {query} where the words go, as in "http://127.0.0.1:8080/search?format=json&q={query}".'),
	headers: z.record(z.string().min(1), z.string()).optional().describe(`Headers of each request. ${keyHint}`),
});

/** A dataset on a Dify deployment, searched there (`POST /datasets/{id}/retrieve`). */
export const difyDatasetSchema = z.strictObject({
	base_url: httpUrl.describe('Address of the deployment\'s service API, as in "https://api.dify.ai/v1".'),
	dataset_id: z.string().min(1).describe('ID of the dataset there, as its address in the browser has it.'),
	key: keyName,
});
export type DifyDatasetConfig = z.infer<typeof difyDatasetSchema>;

/** Where a dataset that agents search comes from. */
export const datasetSchema = z
	.strictObject({
		name: z
			.string()
			.min(1)
			.optional()
			.describe('Name of the dataset in results and citations; by default its ID. Agent files may use it in place of the ID.'),
		folder: z
			.string()
			.min(1)
			.optional()
			.describe('Folder of documents, those in folders below it included. A relative one is relative to the configuration file.'),
		embeddings: z
			.string()
			.min(1)
			.optional()
			.describe('Embedding model that finds segments by their meaning, besides their words: a name that one of the routes serves.'),
		dify: difyDatasetSchema.optional().describe('A dataset on a Dify deployment, in place of a folder.'),
	})
	.refine(({ folder, dify }) => (folder === undefined) !== (dify === undefined), { error: 'expected either "folder" or "dify"' });
export type DatasetConfig = z.infer<typeof datasetSchema>;

/** What nodes of local agents may do. */
export const engineConfigSchema = z.strictObject({
	allow_private_network: z
		.boolean()
		.optional()
		.describe('Whether http-request nodes may reach private, loopback and link-local addresses.'),
	max_steps: z
		.int()
		.min(1)
		.optional()
		.describe('Nodes that one run may start, retries and those of rounds included; 500 by default, as in the hosted service.'),
	environment: z.array(z.string().min(1)).optional().describe(
		// biome-ignore lint/suspicious/noTemplateCurlyInString: what agent files hold
		'Environment variables of the gateway that agent files may name in their secret variables, as in "${env:NAME}"; "*" stands for any characters. None by default.',
	),
	max_paused_days: z
		.number()
		.positive()
		.max(3650)
		.optional()
		.describe(
			'Days that a run waits for a person at most, whatever its form says: then it is stopped; 7 by default, as in the hosted service.',
		),
	python: z
		.string()
		.min(1)
		.optional()
		.describe(
			'Python to run python3 code nodes with; without it they fail. Their code is not in a sandbox: it runs with the rights of the gateway.',
		),
});

/** How the gateway reaches others, where the proxy variables of its environment are not to say it. */
const networkConfigSchema = z.strictObject({
	proxy: z
		.string()
		.min(1)
		.optional()
		.describe(
			'Proxy for upstreams and nodes, as in "http://proxy.example:3128"; one with a password belongs on stdin. By default that of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY.',
		),
	no_proxy: z
		.array(z.string())
		.optional()
		.describe(
			'Hosts that are reached without the proxy: names, ".suffixes", "host:port", addresses, CIDR ranges, "*". By default those of NO_PROXY.',
		),
	strict_ssl: z.boolean().optional().describe('Whether certificates are checked; true by default.'),
});

/** What is kept of calls of text generation. */
const requestLogSchema = z.strictObject({
	days: z.int().min(1).max(3650).default(30).describe('Days that calls are kept.'),
	bodies: z.boolean().default(false).describe('Whether requests and replies are kept too: prompts, and what was answered. Keys never are.'),
});
export type RequestLogConfig = z.infer<typeof requestLogSchema>;

/** The file of `--config`. */
export const configSchema = z.strictObject({
	$schema: z.string().optional(),
	routes: z.array(routeSchema).default([]).superRefine(checkFallbacks).describe('Where text generation comes from, by model name.'),
	offline: z
		.boolean()
		.default(false)
		.describe(
			'Whether the offline model serves model names that no route matches. Without any route it always does; with routes they are refused (404) by default.',
		),
	allowed_origins: z
		.array(z.string().refine(isOrigin, { error: 'expected an origin without a path or "*", as in "http://localhost:3000"' }))
		.default([])
		.describe('Origins of web pages that may use the gateway with its key, as in "http://localhost:3000". None by default.'),
	request_log: requestLogSchema.prefault({}).describe('What is kept of calls of text generation.'),
	agents: z
		.record(z.string().min(1), z.union([z.strictObject({ dify: difyAgentSchema }), z.strictObject({ secrets: agentSecretsConfigSchema })]))
		.default({})
		.describe('Agents that run on a Dify deployment, and secrets of those that run here, by agent name.'),
	agents_as_models: z
		.array(z.string().min(1))
		.default([])
		.describe(
			'Names of agents that clients of OpenAI\'s protocol may use as models "agent/NAME"; "*" stands for any characters. None by default: each request is a run, and some clients send requests of their own, for titles and the like.',
		),
	mcp_servers: z
		.record(z.string().min(1), mcpServerSchema)
		.default({})
		.describe('MCP servers whose tools agents use, by the name that agents know them by.'),
	api_tools: z
		.record(z.string().min(1), apiToolSchema)
		.default({})
		.describe('Services with an OpenAPI description whose operations agents use as tools, by name.'),
	search: searchSchema.optional().describe('Service that searches the web for agents.'),
	knowledge: z
		.record(z.string().min(1), datasetSchema)
		.default({})
		.describe('Datasets that agents search (knowledge-retrieval), by the ID that agent files have.'),
	network: networkConfigSchema.default({}).describe('How upstreams and nodes are reached.'),
	engine: engineConfigSchema.default({}).describe('What nodes of local agents may do.'),
});
export type GatewayConfig = z.infer<typeof configSchema>;

/** Every model that a route falls back to has a route of its own, or is the offline model by its name. */
function checkFallbacks(routes: readonly RouteConfig[], context: z.RefinementCtx): void {
	for (const [i, { fallback = [] }] of routes.entries()) {
		for (const [k, name] of fallback.entries()) {
			const served = routes.find(({ model }) => wildcard(model)(name));
			if (served === routes[i]) {
				context.addIssue({
					code: 'custom',
					path: [i, 'fallback', k],
					message: `"${name}" leads back to this route: expected a model of another one`,
				});
			} else if (!served && name !== 'offline') {
				context.addIssue({
					code: 'custom',
					path: [i, 'fallback', k],
					message: `no route serves "${name}": expected a model that one does, or "offline"`,
				});
			}
		}
	}
}
