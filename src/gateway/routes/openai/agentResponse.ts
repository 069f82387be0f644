import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { agentResponseSchema } from '#contract/openai/responses.ts';
import { ToolNames } from '#models/fit/toolNames.ts';
import { createResponseHead } from '#models/translate/responses/responseHead.ts';
import { ResponseMaker } from '#models/translate/responses/responseMaker.ts';
import { createResponsePrompt } from '#models/translate/responses/responsePrompt.ts';
import { createResponsesReply, ResponsesReplyWriter } from '#models/translate/responses/responsesReplyWriter.ts';
import { ResponseTools } from '#models/translate/responses/responseTools.ts';
import type { AgentModels } from '../../agentModels/agentModels.ts';
import type { AgentReply } from '../../agentModels/agentReply.ts';
import type { ResponseHistory } from '../../responses/responseHistory.ts';
import type { Exchange } from '../../server/exchange.ts';
import { streamReply } from '../../textGeneration/streamReply.ts';
import { createFieldError, type OpenAiRequest } from './openAiRequest.ts';
import { readResponsesRequest, shouldShowEncrypted } from './responsesRequest.ts';

/**
 * Responds by running the model's agent. `previous_response_id` continues the conversation of that response if the same agent gave it, from
 * the state stored with it, and with the messages before that response. The run stops if the caller disconnects.
 */
export async function respondWithAgent(
	agents: AgentModels,
	history: ResponseHistory,
	exchange: Exchange,
	asked: OpenAiRequest,
): Promise<void> {
	const request = readResponsesRequest(agentResponseSchema, asked.body);
	const { items, own, agent } = history.resolveInput(request);
	const known = agent?.model === asked.model ? agent : undefined;
	const user = request.user ?? known?.user ?? undefined;
	// the agent has its own settings and tools, so those of the request are ignored
	const tools = new ResponseTools({}, []);
	const conversationId = request.conversation_id ?? known?.conversation;
	const reply = await agents
		.prepareReply(
			asked.model,
			createResponsePrompt(undefined, items, tools, []),
			{ inputs: request.inputs, conversationId, replacesHistory: request.conversation_id === undefined && known?.isForked === true, user },
			exchange.signal,
		)
		.catch((error: unknown) => {
			throw toResponsesError(error);
		});
	const head = createResponseHead({ ...request, user }, asked.model, [], Date.now());
	const maker = new ResponseMaker(reply.conversationId === undefined ? head : { ...head, conversation_id: reply.conversationId }, {
		tools,
		showsEncrypted: shouldShowEncrypted(request),
		now: Date.now,
		onEnded: response => history.add(response, own, reply.conversationId),
	});
	await sendReply(reply, maker, exchange, request.stream === true);
}

async function sendReply(reply: AgentReply, maker: ResponseMaker, exchange: Exchange, stream: boolean): Promise<void> {
	if (stream) {
		const nothing = { names: new ToolNames({ prompt: [] }, 'offline'), warnings: [] };
		await streamReply(exchange, { origin: '' }, reply.streamParts(), new ResponsesReplyWriter(maker), nothing);
		return;
	}
	const result = await reply.getWholeReply();
	if (!exchange.signal.aborted) {
		exchange.sendJson(200, createResponsesReply(result, maker));
	}
}

/** Renames the field `messages` of chat completions in an error to `input`. */
function toResponsesError(error: unknown): unknown {
	return error instanceof ServiceFault && error.details.params === 'messages'
		? createFieldError('input', error.message.replace("'messages'", "'input'"))
		: error;
}
