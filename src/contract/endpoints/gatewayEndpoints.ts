import * as z from 'zod';
import {
	agentSecretsSchema,
	createAgentCheckSchema,
	createAgentListSchema,
	createAgentParametersSchema,
	createAgentSummarySchema,
	createPublishedAgentSchema,
} from '../agents.ts';
import { createDatasetListSchema, createDatasetStatusSchema } from '../knowledge.ts';
import { values } from '../ranges.ts';
import { createOpenedRecordingSchema, createTakenCallsSchema, openRecordingSchema } from '../recordings/recordings.ts';
import {
	createModelCacheSizeSchema,
	createTextCallBodiesSchema,
	createTextCallPageSchema,
	createUsageReportSchema,
	textCallsQuerySchema,
	usageQuerySchema,
} from '../text/textCalls.ts';
import { createResultResponseSchema } from '../workflows.ts';
import { defineEndpoints } from './endpoint.ts';

const agentQuery = z.object({ model: z.string().min(1) });

const agent = defineEndpoints('agent');
const open = defineEndpoints('open');
const mcp = defineEndpoints('mcp');

/** Endpoints of the built-in gateway that aren't in the contract: agents, knowledge, request log, MCP and the gateway itself. */
export const gatewayEndpoints = {
	service: open('GET', '/', {
		summary: "Get the service's name and the path of this description. Needs no key.",
		response: () => z.object({ service: z.string(), description: z.string(), health: z.string() }),
	}),
	health: open('GET', '/healthz', {
		summary: 'Check that the service is running. Needs no key.',
		response: () => z.object({ status: z.literal('ok'), service: z.string(), pid: z.int(), problem: z.string().optional() }),
	}),
	description: open('GET', '/openapi.json', {
		summary: 'Get this description. Needs no key.',
		response: () => z.object({ openapi: z.string(), info: values, paths: values }),
	}),

	mcpMessage: mcp('POST', '/mcp', {
		summary: 'Serve agents as tools to MCP clients, with protocol 2026-07-28 or with sessions of earlier versions.',
		// a JSON-RPC message; MCP defines its content
		body: z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string(), id: z.union([z.string(), z.number()]).optional() }),
		stream: 'always',
	}),
	mcpEvents: mcp('GET', '/mcp', { summary: 'Stream notifications of an MCP session: changes of its tools.', stream: 'always' }),
	endMcpSession: mcp('DELETE', '/mcp', { summary: 'End an MCP session.', stream: 'always' }),

	listAgents: agent('GET', '/v1/agent/agents', { summary: 'List the agents of this service.', response: createAgentListSchema }),
	publishAgent: agent('POST', '/v1/agent/agents/{name}/publish', {
		summary: 'Publish the current draft of an agent.',
		response: createAgentSummarySchema,
	}),
	unpublishAgent: agent('POST', '/v1/agent/agents/{name}/unpublish', {
		summary: 'Unpublish an agent.',
		response: createAgentSummarySchema,
	}),
	checkAgent: agent('POST', '/v1/agent/agents/{name}/check', {
		summary: 'Check the text of an agent file for problems.',
		body: z.object({ source: z.string() }),
		response: createAgentCheckSchema,
	}),
	giveAgentSecrets: agent('POST', '/v1/agent/agents/{name}/secrets', {
		summary: 'Set values for secrets that have no value in the agent file. They last until this process ends.',
		body: agentSecretsSchema,
		response: createResultResponseSchema,
	}),
	publishedAgent: agent('GET', '/v1/agent/agents/{name}/published', {
		summary: "Get the text of an agent's published version.",
		response: createPublishedAgentSchema,
	}),
	attach: agent('POST', '/v1/agent/attach', {
		summary: 'Serve agents folders while this request is open.',
		// `agents` has absolute paths of folders; `log` requests the log, including its last lines (`all`) or only new ones (`new`)
		body: z.object({ agents: z.array(z.string().min(1)).default([]), log: z.enum(['all', 'new']).optional() }),
		stream: 'always',
	}),
	agentParameters: agent('GET', '/v1/agent/parameters', {
		summary: "Get an agent's input form, for Dify clients.",
		paths: { dify: '/v1/parameters' },
		query: agentQuery,
		response: createAgentParametersSchema,
	}),
	agentInfo: agent('GET', '/v1/agent/info', {
		summary: "Get an agent's name and mode, for Dify clients.",
		query: agentQuery,
		response: () => z.object({ name: z.string(), description: z.string(), tags: z.array(z.string()), mode: z.string() }),
	}),
	agentMeta: agent('GET', '/v1/agent/meta', {
		summary: "Get the icons of an agent's tools, for Dify clients.",
		response: () => z.object({ tool_icons: values }),
	}),

	listDatasets: agent('GET', '/v1/agent/knowledge', {
		summary: 'List the datasets that agents search and their indexing progress.',
		response: createDatasetListSchema,
	}),
	reindexDataset: agent('POST', '/v1/agent/knowledge/{id}/reindex', {
		summary: "Reindex a dataset's folder.",
		response: createDatasetStatusSchema,
	}),

	openRecording: agent('POST', '/v1/agent/recordings', {
		summary: 'Open a recording, for runs that replay it or add to it. The caller owns its file.',
		body: openRecordingSchema,
		// large values are in separate files
		bodyLimit: 64 * 1024 * 1024,
		response: createOpenedRecordingSchema,
	}),
	takeRecordedCalls: agent('POST', '/v1/agent/recordings/{id}/take', {
		summary: 'Take the calls that were recorded since the last request, and the requests that the recording had no reply to.',
		response: createTakenCallsSchema,
	}),
	closeRecording: agent('DELETE', '/v1/agent/recordings/{id}', {
		summary: 'Close a recording.',
		response: createResultResponseSchema,
	}),

	listTextCalls: agent('GET', '/v1/agent/text-calls', {
		summary: 'List the text generation calls of the request log, newest first.',
		query: textCallsQuerySchema,
		response: createTextCallPageSchema,
	}),
	getTextCall: agent('GET', '/v1/agent/text-calls/{id}', {
		summary: 'Get the request and response of a call, if bodies are stored.',
		response: createTextCallBodiesSchema,
	}),
	getUsage: agent('GET', '/v1/agent/usage', {
		summary: 'Get calls, tokens and cost by day, model or agent.',
		query: usageQuerySchema,
		response: createUsageReportSchema,
	}),
	modelCache: agent('GET', '/v1/agent/model-cache', {
		summary: 'Get the size of the reply cache.',
		response: createModelCacheSizeSchema,
	}),
	clearModelCache: agent('DELETE', '/v1/agent/model-cache', {
		summary: 'Clear the reply cache. Returns its previous size.',
		response: createModelCacheSizeSchema,
	}),
};
