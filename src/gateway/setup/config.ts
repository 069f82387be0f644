import * as z from 'zod';
import { createWildcardMatcher } from '#base/text/wildcard.ts';
import { httpUrl, keyName, priceRuleSchema, type RouteConfig, routeSchema } from '#models/routeConfig.ts';
import { isOrigin } from '../server/allowedOrigins.ts';

/** A remote agent on a Dify deployment (wire facts 1.0). */
export const difyAgentSchema = z.strictObject({
	base_url: httpUrl.describe('URL of the Dify server\'s service API, for example "https://api.dify.ai/v1".'),
	key: keyName,
});
export type DifyAgentConfig = z.infer<typeof difyAgentSchema>;

const agentSecretsConfigSchema = z
	.record(z.string().min(1), keyName)
	.describe('Names of keys for secret environment variables that have no value in the agent file, by variable.');
const keyHint = `Values can use \${key:NAME} for a key from the key file or stdin.`;
const timeout = z.int().min(1).max(600).optional().describe('Timeout of one call in seconds. Default: 60.');

/** A server whose tools agents can use (Model Context Protocol). */
const mcpServerSchema = z.union([
	z
		.strictObject({
			command: z.string().min(1).describe('MCP server program that communicates over stdin and stdout.'),
			args: z.array(z.string()).optional().describe('Command-line arguments of the program.'),
			env: z.record(z.string().min(1), z.string()).optional().describe(`Environment variables of the program. ${keyHint}`),
			cwd: z.string().min(1).optional().describe('Working directory of the program.'),
			timeout,
		})
		.describe('A local program, started on first use and stopped with the gateway.'),
	z
		.strictObject({
			url: httpUrl.describe('URL of the server (streamable HTTP).'),
			headers: z.record(z.string().min(1), z.string()).optional().describe(`Headers sent with each request. ${keyHint}`),
			timeout,
		})
		.describe('A server over HTTP.'),
]);
export type McpServerConfig = z.infer<typeof mcpServerSchema>;

/** A service whose tools are defined by its OpenAPI description. */
const apiToolSchema = z.strictObject({
	schema: z.string().min(1).describe('File with the OpenAPI 3 description of the service (JSON or YAML).'),
	base_url: httpUrl.optional().describe('URL of the service, which may be on a private network. Default: the URL in its description.'),
	headers: z.record(z.string().min(1), z.string()).optional().describe(`Headers sent with each request. ${keyHint}`),
});

/** The web search service for agents. */
const searchSchema = z.strictObject({
	url: z
		.string()
		.refine(url => url.includes('{query}') && URL.canParse(url.replaceAll('{query}', 'x')), {
			error: 'expected an http or https URL that contains {query}',
		})
		.describe('Search URL with {query} as a placeholder, for example "http://127.0.0.1:8080/search?format=json&q={query}".'),
	headers: z.record(z.string().min(1), z.string()).optional().describe(`Headers sent with each request. ${keyHint}`),
});

/** A dataset on a Dify deployment, searched there (`POST /datasets/{id}/retrieve`). */
export const difyDatasetSchema = z.strictObject({
	base_url: httpUrl.describe('URL of the Dify server\'s service API, for example "https://api.dify.ai/v1".'),
	dataset_id: z.string().min(1).describe('ID of the dataset in Dify, as shown in its browser address.'),
	key: keyName,
});
export type DifyDatasetConfig = z.infer<typeof difyDatasetSchema>;

/** The source of a dataset that agents search. */
export const datasetSchema = z
	.strictObject({
		name: z
			.string()
			.min(1)
			.optional()
			.describe('Name of the dataset in results and citations. Agent files can use it instead of the ID. Default: the ID.'),
		folder: z
			.string()
			.min(1)
			.optional()
			.describe('Folder with the documents, including subfolders. Relative paths start at the configuration file.'),
		embeddings: z
			.string()
			.min(1)
			.optional()
			.describe('Embedding model for finding segments by meaning in addition to keywords. A route must serve it.'),
		dify: difyDatasetSchema.optional().describe('A dataset on a Dify server, instead of a folder.'),
	})
	.refine(({ folder, dify }) => (folder === undefined) !== (dify === undefined), { error: 'expected either "folder" or "dify"' });
export type DatasetConfig = z.infer<typeof datasetSchema>;

/** Permissions and limits of nodes in local agents. */
export const engineConfigSchema = z.strictObject({
	allow_private_network: z
		.boolean()
		.optional()
		.describe('Whether http-request nodes can reach private, loopback and link-local addresses.'),
	max_steps: z
		.int()
		.min(1)
		.optional()
		.describe('Maximum number of nodes that a run can start, including retries and iterations. Default: 500, as in Dify Cloud.'),
	environment: z.array(z.string().min(1)).optional().describe(
		// biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of agent files
		'Environment variables of the gateway that secret variables of agent files can use as "${env:NAME}". "*" matches any characters. Default: none.',
	),
	max_paused_days: z
		.number()
		.positive()
		.max(3650)
		.optional()
		.describe(
			'Maximum number of days that a run can stay paused, regardless of its form. After that it is stopped. Default: 7, as in Dify Cloud.',
		),
	python: z
		.string()
		.min(1)
		.optional()
		.describe(
			'Python interpreter for python3 code nodes, which fail without it. The code is not sandboxed: it runs with the permissions of the gateway.',
		),
});

/** Network access of the gateway, if it differs from the proxy variables of its environment. */
const networkConfigSchema = z.strictObject({
	proxy: z
		.string()
		.min(1)
		.optional()
		.describe(
			'Proxy for upstreams and nodes, for example "http://proxy.example:3128". Pass a proxy with a password on stdin instead. Default: HTTPS_PROXY, HTTP_PROXY or ALL_PROXY.',
		),
	no_proxy: z
		.array(z.string())
		.optional()
		.describe('Hosts that bypass the proxy: names, ".suffixes", "host:port", IP addresses, CIDR ranges or "*". Default: NO_PROXY.'),
	strict_ssl: z.boolean().optional().describe('Whether to verify TLS certificates. Default: true.'),
});

/** Storage of text generation calls. */
const requestLogSchema = z.strictObject({
	days: z.int().min(1).max(3650).default(30).describe('Number of days to keep calls.'),
	bodies: z
		.boolean()
		.default(false)
		.describe('Whether to store the bodies of requests and responses too, including prompts. Keys are never stored.'),
});
export type RequestLogConfig = z.infer<typeof requestLogSchema>;

/** Schema of the `--config` file. */
export const configSchema = z.strictObject({
	$schema: z.string().optional(),
	routes: z.array(routeSchema).default([]).superRefine(checkFallbacks).describe('Upstreams for text generation, by model name.'),
	offline: z
		.boolean()
		.default(false)
		.describe(
			'Whether the offline model serves models that no route matches. Default: only if there are no routes; otherwise such requests fail (404).',
		),
	prices: z
		.array(priceRuleSchema)
		.default([])
		.describe('Prices of models whose routes have none. They replace the published prices that the gateway knows. The first match counts.'),
	allowed_origins: z
		.array(z.string().refine(isOrigin, { error: 'expected an origin without a path or "*", for example "http://localhost:3000"' }))
		.default([])
		.describe('Origins of web pages that can use the gateway with its key, for example "http://localhost:3000". Default: none.'),
	request_log: requestLogSchema.prefault({}).describe('Controls what is recorded about text generation calls.'),
	agents: z
		.record(z.string().min(1), z.union([z.strictObject({ dify: difyAgentSchema }), z.strictObject({ secrets: agentSecretsConfigSchema })]))
		.default({})
		.describe('Agents that run on a Dify server, and secrets of local agents, by agent name.'),
	agents_as_models: z
		.array(z.string().min(1))
		.default([])
		.describe(
			'Agents that OpenAI-compatible clients can use as models named "agent/NAME". "*" matches any characters. Default: none, because each request starts a run, and some clients send extra requests, for example for titles.',
		),
	mcp_servers: z
		.record(z.string().min(1), mcpServerSchema)
		.default({})
		.describe('MCP servers whose tools agents can use, by the name used in agents.'),
	api_tools: z
		.record(z.string().min(1), apiToolSchema)
		.default({})
		.describe('Services with an OpenAPI description whose operations agents can use as tools, by name.'),
	search: searchSchema.optional().describe('Web search service for agents.'),
	knowledge: z
		.record(z.string().min(1), datasetSchema)
		.default({})
		.describe('Datasets that agents can search (knowledge-retrieval), by the ID used in agent files.'),
	network: networkConfigSchema.default({}).describe('Network settings for upstreams and nodes.'),
	engine: engineConfigSchema.default({}).describe('Permissions and limits of nodes in local agents.'),
});
export type GatewayConfig = z.infer<typeof configSchema>;

/** Checks that every fallback model has its own route, or is the offline model. */
function checkFallbacks(routes: readonly RouteConfig[], context: z.RefinementCtx): void {
	for (const [i, { fallback = [] }] of routes.entries()) {
		for (const [k, name] of fallback.entries()) {
			const served = routes.find(({ model }) => createWildcardMatcher(model)(name));
			if (served === routes[i]) {
				context.addIssue({
					code: 'custom',
					path: [i, 'fallback', k],
					message: `"${name}" is served by this same route. Expected a model of another route`,
				});
			} else if (!served && name !== 'offline') {
				context.addIssue({
					code: 'custom',
					path: [i, 'fallback', k],
					message: `no route serves "${name}". Expected a served model or "offline"`,
				});
			}
		}
	}
}
