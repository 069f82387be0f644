import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { agentResponseSchema } from '#contract/openai/responses.ts';
import { ToolNames } from '#models/fit/toolNames.ts';
import { responseHead } from '#models/translate/responses/responseHead.ts';
import { ResponseMaker } from '#models/translate/responses/responseMaker.ts';
import { responsePrompt } from '#models/translate/responses/responsePrompt.ts';
import { ResponsesReplyWriter, responsesReply } from '#models/translate/responses/responsesReplyWriter.ts';
import { ResponseTools } from '#models/translate/responses/responseTools.ts';
import type { AgentModels } from '../../agentModels/agentModels.ts';
import type { AgentReply } from '../../agentModels/agentReply.ts';
import type { ResponseHistory } from '../../responses/responseHistory.ts';
import type { Exchange } from '../../server/exchange.ts';
import { streamReply } from '../../textGeneration/streamReply.ts';
import { badField, type OpenAiRequest } from './openAiRequest.ts';
import { readResponsesRequest, showsEncrypted } from './responsesRequest.ts';

/**
 * Answers by a run of the agent that the model stands for. `previous_response_id` goes on with the conversation of that response, if the same agent gave
 * it: what it has kept of it counts then. A caller that goes away stops the run.
 */
export async function respondAsAgent(
	agents: AgentModels,
	history: ResponseHistory,
	exchange: Exchange,
	asked: OpenAiRequest,
): Promise<void> {
	const request = readResponsesRequest(agentResponseSchema, asked.body);
	const { items, own, agent } = history.inputOf(request);
	const known = agent?.model === asked.model ? agent : undefined;
	const user = request.user ?? known?.user ?? undefined;
	// settings and tools are the agent's own: those of the request count for nothing
	const tools = new ResponseTools({}, []);
	const reply = await agents
		.reply(
			asked.model,
			responsePrompt(undefined, items, tools, []),
			{ inputs: request.inputs, conversationId: request.conversation_id ?? known?.conversation, user },
			exchange.signal,
		)
		.catch((error: unknown) => {
			throw inResponsesWords(error);
		});
	const head = responseHead({ ...request, user }, asked.model, [], Date.now());
	const maker = new ResponseMaker(reply.conversationId === undefined ? head : { ...head, conversation_id: reply.conversationId }, {
		tools,
		showsEncrypted: showsEncrypted(request),
		now: Date.now,
		ended: response => history.keep(response, own, reply.conversationId),
	});
	await send(reply, maker, exchange, request.stream === true);
}

async function send(reply: AgentReply, maker: ResponseMaker, exchange: Exchange, stream: boolean): Promise<void> {
	if (stream) {
		const nothing = { names: new ToolNames({ prompt: [] }, 'offline'), warnings: [] };
		await streamReply(exchange, { origin: '' }, reply.stream(), new ResponsesReplyWriter(maker), nothing);
		return;
	}
	const result = await reply.whole();
	if (!exchange.signal.aborted) {
		exchange.sendJson(200, responsesReply(result, maker));
	}
}

/** What chat completions call messages is the input here. */
function inResponsesWords(error: unknown): unknown {
	return error instanceof ServiceFault && error.details.params === 'messages'
		? badField('input', error.message.replace("'messages'", "'input'"))
		: error;
}
