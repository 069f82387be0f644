import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server, type ServerContext, type Tool } from '@modelcontextprotocol/server';
import type { ServedTools, ToolReply } from '../servedTools.ts';

const instructions =
	'Each tool runs one agent of Agent Workbench and answers with what it puts out. A tool that chats answers with a conversation_id: give it with the next call to go on.';

/** By which a result says which run it is of. */
const runIdField = 'agent-workbench/run_id';

/**
 * A server of the SDK that offers these tools, for one request or one session.
 * @param started is called when a call begins; what it returns, when the call has ended
 */
export function toolServer(tools: ServedTools, started: () => () => void = () => () => {}): Server {
	// the server of the SDK's higher floor takes schemas of libraries alone, and ours come from files
	const server = new Server(
		{ name: 'agent-workbench', title: 'Agent Workbench', version: '1' },
		{ capabilities: { tools: { listChanged: true } }, instructions, jsonSchemaValidator: noValidator },
	);
	server.setRequestHandler('tools/list', async () => ({
		tools: (await tools.list()).map(({ inputSchema, ...tool }) => ({ ...tool, inputSchema: inputSchema as Tool['inputSchema'] })),
	}));
	server.setRequestHandler('tools/call', async ({ params }, context) => {
		const ended = started();
		try {
			const { tell, told } = progressOf(context);
			const reply = await tools.call({
				name: params.name,
				arguments: params.arguments ?? {},
				client: server.getClientVersion()?.name ?? '',
				signal: context.mcpReq.signal,
				progress: tell,
			});
			await told();
			if (!reply) {
				throw new ProtocolError(
					ProtocolErrorCode.InvalidParams,
					`Unknown tool "${params.name.slice(0, 100)}": expected one that tools/list names. Agents come, go and change their names with their files.`,
				);
			}
			return resultOf(reply);
		} finally {
			ended();
		}
	});
	return server;
}

/** Tells the caller how far its call is, where it wants to know. Each notification counts one more: nobody knows how many nodes a run will take. */
function progressOf({ mcpReq }: ServerContext): { tell: (message: string) => void; told: () => Promise<void> } {
	const progressToken = mcpReq._meta?.progressToken;
	let count = 0;
	let last: Promise<void> = Promise.resolve();
	return {
		tell: message => {
			if (progressToken === undefined || mcpReq.signal.aborted) {
				return;
			}
			const params = { progressToken, progress: ++count, message };
			// a caller who cannot be told gets its result all the same
			last = mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
		},
		told: () => last,
	};
}

function resultOf({ text, structured, failed, runId }: ToolReply): CallToolResult {
	return {
		content: text.map(block => ({ type: 'text', text: block })),
		...(structured && { structuredContent: { ...structured } }),
		...(failed && { isError: true }),
		...(runId !== undefined && { _meta: { [runIdField]: runId } }),
	};
}

/** What is asked of clients with a schema is asked nowhere here. */
const noValidator = {
	getValidator:
		<T>() =>
		(input: unknown) => ({ valid: true as const, data: input as T & {}, errorMessage: undefined }),
};
