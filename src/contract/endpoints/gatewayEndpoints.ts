import * as z from 'zod';
import {
	agentCheckSchema,
	agentListSchema,
	agentParametersSchema,
	agentSecretsSchema,
	agentSummarySchema,
	publishedAgentSchema,
} from '../agents.ts';
import { datasetListSchema, datasetStatusSchema } from '../knowledge.ts';
import { values } from '../ranges.ts';
import {
	modelCacheSizeSchema,
	textCallBodiesSchema,
	textCallPageSchema,
	textCallsQuerySchema,
	usageQuerySchema,
	usageReportSchema,
} from '../text/textCalls.ts';
import { resultResponseSchema } from '../workflows.ts';
import { endpointsOf } from './endpoint.ts';

const agentQuery = z.object({ model: z.string().min(1) });

const agent = endpointsOf('agent');
const open = endpointsOf('open');
const mcp = endpointsOf('mcp');

/** What the built-in gateway has beyond the contract: its agents, their knowledge, the log of text generation, MCP, and itself. */
export const gatewayEndpoints = {
	service: open('GET', '/', {
		summary: 'Names the service and the path of this description. Needs no key.',
		response: () => z.object({ service: z.string(), description: z.string(), health: z.string() }),
	}),
	health: open('GET', '/healthz', {
		summary: 'Says that the service runs. Needs no key.',
		response: () => z.object({ status: z.literal('ok'), service: z.string(), pid: z.int(), problem: z.string().optional() }),
	}),
	description: open('GET', '/openapi.json', {
		summary: 'This description. Needs no key.',
		response: () => z.object({ openapi: z.string(), info: values, paths: values }),
	}),

	mcpMessage: mcp('POST', '/mcp', {
		summary: 'Agents as tools of MCP clients, 2026-07-28 and sessions of before.',
		// a message of JSON-RPC; MCP says what is in it
		body: z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string(), id: z.union([z.string(), z.number()]).optional() }),
		stream: 'always',
	}),
	mcpEvents: mcp('GET', '/mcp', { summary: 'What an MCP session wants to hear of: changes of its tools.', stream: 'always' }),
	endMcpSession: mcp('DELETE', '/mcp', { summary: 'Ends an MCP session.', stream: 'always' }),

	listAgents: agent('GET', '/v1/agent/agents', { summary: 'Agents of this service.', response: agentListSchema }),
	publishAgent: agent('POST', '/v1/agent/agents/{name}/publish', {
		summary: "Publish an agent's file as it is now.",
		response: agentSummarySchema,
	}),
	unpublishAgent: agent('POST', '/v1/agent/agents/{name}/unpublish', {
		summary: "Take an agent's published version back.",
		response: agentSummarySchema,
	}),
	checkAgent: agent('POST', '/v1/agent/agents/{name}/check', {
		summary: 'Say what is wrong with the text of an agent file.',
		body: z.object({ source: z.string() }),
		response: agentCheckSchema,
	}),
	giveAgentSecrets: agent('POST', '/v1/agent/agents/{name}/secrets', {
		summary: "Give values for the secrets that an agent's file leaves open, for as long as this process lives.",
		body: agentSecretsSchema,
		response: resultResponseSchema,
	}),
	publishedAgent: agent('GET', '/v1/agent/agents/{name}/published', {
		summary: "The text of an agent's published version.",
		response: publishedAgentSchema,
	}),
	attach: agent('POST', '/v1/agent/attach', {
		summary: 'Serve agents folders while this request is open.',
		// absolute paths of folders; whether the log is sent, with its last lines (`all`) or without (`new`)
		body: z.object({ agents: z.array(z.string().min(1)).default([]), log: z.enum(['all', 'new']).optional() }),
		stream: 'always',
	}),
	agentParameters: agent('GET', '/v1/agent/parameters', {
		summary: "An agent's input form, for Dify's clients.",
		paths: { dify: '/v1/parameters' },
		query: agentQuery,
		response: agentParametersSchema,
	}),
	agentInfo: agent('GET', '/v1/agent/info', {
		summary: "An agent's name and mode, for Dify's clients.",
		query: agentQuery,
		response: () => z.object({ name: z.string(), description: z.string(), tags: z.array(z.string()), mode: z.string() }),
	}),
	agentMeta: agent('GET', '/v1/agent/meta', {
		summary: "Icons of an agent's tools, for Dify's clients.",
		response: () => z.object({ tool_icons: values }),
	}),

	listDatasets: agent('GET', '/v1/agent/knowledge', {
		summary: 'Datasets that agents search, and how far each is indexed.',
		response: datasetListSchema,
	}),
	reindexDataset: agent('POST', '/v1/agent/knowledge/{id}/reindex', {
		summary: "Read all of a dataset's folder again.",
		response: datasetStatusSchema,
	}),

	listTextCalls: agent('GET', '/v1/agent/text-calls', {
		summary: 'The request log: calls of text generation, newest first.',
		query: textCallsQuerySchema,
		response: textCallPageSchema,
	}),
	getTextCall: agent('GET', '/v1/agent/text-calls/{id}', {
		summary: 'What was sent and answered in one call, where bodies are kept.',
		response: textCallBodiesSchema,
	}),
	getUsage: agent('GET', '/v1/agent/usage', {
		summary: 'Calls, tokens and money by day, model or agent.',
		query: usageQuerySchema,
		response: usageReportSchema,
	}),
	modelCache: agent('GET', '/v1/agent/model-cache', {
		summary: 'How much the cache of replies holds.',
		response: modelCacheSizeSchema,
	}),
	clearModelCache: agent('DELETE', '/v1/agent/model-cache', {
		summary: 'Clear the cache of replies; answers what it held.',
		response: modelCacheSizeSchema,
	}),
};
