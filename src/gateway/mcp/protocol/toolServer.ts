import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server, type ServerContext, type Tool } from '@modelcontextprotocol/server';
import type { ServedTools, ToolReply } from '../servedTools.ts';

const instructions =
	'Each tool runs one agent of Agent Workbench and returns its outputs. Chat tools also return a conversation_id. Pass it in the next call to continue the conversation.';

/** Metadata field with the run ID of a result. */
const runIdField = 'agent-workbench/run_id';

/**
 * Creates a server of the SDK that offers these tools, for one request or one session.
 * @param started called when a call starts; the function that it returns is called when the call has ended
 */
export function createToolServer(tools: ServedTools, started: () => () => void = () => () => {}): Server {
	// the SDK's high-level server only accepts schemas from schema libraries, but ours come from files
	const server = new Server(
		{ name: 'agent-workbench', title: 'Agent Workbench', version: '1' },
		{ capabilities: { tools: { listChanged: true } }, instructions, jsonSchemaValidator: noValidator },
	);
	server.setRequestHandler('tools/list', async () => ({
		tools: (await tools.listTools()).map(({ inputSchema, ...tool }) => ({ ...tool, inputSchema: inputSchema as Tool['inputSchema'] })),
	}));
	server.setRequestHandler('tools/call', async ({ params }, context) => {
		const ended = started();
		try {
			const { report, flush } = createProgress(context);
			const reply = await tools.callTool({
				name: params.name,
				arguments: params.arguments ?? {},
				client: server.getClientVersion()?.name ?? '',
				signal: context.mcpReq.signal,
				reportProgress: report,
			});
			await flush();
			if (!reply) {
				throw new ProtocolError(
					ProtocolErrorCode.InvalidParams,
					`Unknown tool '${params.name.slice(0, 100)}'. Use tools/list to get the current tools, because agents can be added, removed or renamed.`,
				);
			}
			return toCallResult(reply);
		} finally {
			ended();
		}
	});
	return server;
}

/** Reports progress to callers that request it. The progress counts notifications, because the total number of nodes is unknown. */
function createProgress({ mcpReq }: ServerContext): { report: (message: string) => void; flush: () => Promise<void> } {
	const progressToken = mcpReq._meta?.progressToken;
	let count = 0;
	let last: Promise<void> = Promise.resolve();
	return {
		report: message => {
			if (progressToken === undefined || mcpReq.signal.aborted) {
				return;
			}
			const params = { progressToken, progress: ++count, message };
			// a caller that can't be notified still gets the result
			last = mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
		},
		flush: () => last,
	};
}

function toCallResult({ text, structured, failed, runId }: ToolReply): CallToolResult {
	return {
		content: text.map(block => ({ type: 'text', text: block })),
		...(structured && { structuredContent: { ...structured } }),
		...(failed && { isError: true }),
		...(runId !== undefined && { _meta: { [runIdField]: runId } }),
	};
}

/** Accepts everything, because this server never requests input with a schema from clients. */
const noValidator = {
	getValidator:
		<T>() =>
		(input: unknown) => ({ valid: true as const, data: input as T & {}, errorMessage: undefined }),
};
